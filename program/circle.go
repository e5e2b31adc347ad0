package program

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrCycle says that a model would hold itself, directly or through other models.
var ErrCycle = errors.New("the model would hold itself")

// Circles finds the entries of a universe that lead back to the model that it belongs
// to. It returns a message with the path for each of them.
func Circles(ctx context.Context, store ModelFinder, modelID string, u *Universe) (map[string]string, error) {
	if modelID == "" || len(u.Models) == 0 {
		return map[string]string{}, nil
	}
	found := map[string]string{}
	var from []string
	for entry, m := range u.Models {
		if m.ID == modelID {
			found[entry] = fmt.Sprintf("%q is the model itself", entry)
			continue
		}
		from = append(from, m.ID)
	}
	if len(from) == 0 {
		return found, nil
	}
	edges, err := store.Below(ctx, from)
	if err != nil {
		return nil, err
	}
	below := map[string][]Membership{}
	for _, e := range edges {
		below[e.HolderID] = append(below[e.HolderID], e)
	}
	for entry, m := range u.Models {
		if way := wayTo(below, m.ID, modelID, map[string]bool{}); way != nil {
			found[entry] = fmt.Sprintf("%q holds this model, so this model cannot hold it: %s", entry, strings.Join(append([]string{m.Name}, way...), " → "))
		}
	}
	return found, nil
}

// wayTo names the models on a path from one model down to another, or returns nil if
// there is none.
func wayTo(below map[string][]Membership, from, to string, seen map[string]bool) []string {
	seen[from] = true
	for _, e := range below[from] {
		if e.MemberID == to {
			return []string{e.MemberName}
		}
		if seen[e.MemberID] {
			continue
		}
		if rest := wayTo(below, e.MemberID, to, seen); rest != nil {
			return append([]string{e.MemberName}, rest...)
		}
	}
	return nil
}
