package backfills

import (
	"fmt"
	"strings"

	"ballast/internal/fault"
	"ballast/program"
)

// acyclicBackfill refuses sources that lead back to the asset: a proxy that the asset
// backfills, or a model that holds it, at any depth.
func acyclicBackfill(b *Backfill, graph Graph) error {
	for i, source := range b.Sources {
		way := []string{b.Symbol, source.Symbol}
		if source.ID != b.AssetID {
			rest := graph.way(source.ID, b.AssetID, map[string]bool{})
			if rest == nil {
				continue
			}
			way = append(way, rest...)
		}
		return fault.New(fault.ReferenceCycle, "The backfill of %s would depend on %s itself: %s.", b.Symbol, b.Symbol, strings.Join(way, " → ")).
			With(fault.Detail{
				Field:   fmt.Sprintf("sources[%d].%s", i, sourceField(source.Kind)),
				Message: "leads back to " + b.Symbol + ": " + strings.Join(way, " → "),
			})
	}
	return nil
}

// way names the nodes on a path from one node to another, including the last; nil if
// there is none.
func (g Graph) way(from, to string, seen map[string]bool) []string {
	seen[from] = true
	for _, next := range g[from] {
		if next.ID == to {
			return []string{next.Symbol}
		}
		if seen[next.ID] {
			continue
		}
		if rest := g.way(next.ID, to, seen); rest != nil {
			return append([]string{next.Symbol}, rest...)
		}
	}
	return nil
}

// sourceField returns the field of the request that names a source.
func sourceField(kind program.MemberKind) string {
	if kind == program.MemberModel {
		return "model"
	}
	return "symbol"
}
