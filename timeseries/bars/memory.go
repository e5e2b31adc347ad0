package bars

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Memory is a manifest in memory: for commands that try a script on files, and for tests.
// It is safe for concurrent use.
type Memory struct {
	mu       sync.Mutex
	version  Version
	assets   map[string]Asset // by id
	bySymbol map[string]string
	segments []Segment
	records  []Record
}

// NewMemory returns an empty manifest.
func NewMemory() *Memory {
	return &Memory{assets: map[string]Asset{}, bySymbol: map[string]string{}}
}

// BySymbol implements importing.Manifest.
func (s *Memory) BySymbol(_ context.Context, symbols []string) (Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, 0, len(symbols))
	for _, symbol := range symbols {
		if id, ok := s.bySymbol[symbol]; ok {
			ids = append(ids, id)
		}
	}
	return s.snapshot(ids, Latest), nil
}

// ByID implements Manifest.
func (s *Memory) ByID(_ context.Context, ids []string, at Version) (Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot(ids, at), nil
}

func (s *Memory) snapshot(ids []string, at Version) Snapshot {
	out := Snapshot{Version: s.version}
	asked := map[string]bool{}
	for _, id := range ids {
		if a, ok := s.assets[id]; ok && !asked[id] {
			asked[id] = true
			out.Assets = append(out.Assets, a)
		}
	}
	if at == Latest {
		at = s.version
	}
	for _, g := range s.segments {
		if asked[g.AssetID] && g.AddedIn <= at && (g.RemovedIn == 0 || at < g.RemovedIn) {
			out.Segments = append(out.Segments, g)
		}
	}
	slices.SortFunc(out.Segments, func(a, b Segment) int {
		return cmp.Or(cmp.Compare(a.AssetID, b.AssetID), cmp.Compare(a.First, b.First))
	})
	return out
}

// Commit implements importing.Manifest.
func (s *Memory) Commit(_ context.Context, c Change) (Version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Base != s.version {
		return 0, ErrConflict
	}
	for _, a := range c.Assets {
		if id, ok := s.bySymbol[a.Symbol]; ok && id != a.ID {
			return 0, ErrConflict
		}
	}
	removed := map[Ref]bool{}
	for _, r := range c.Removed {
		removed[r] = true
	}
	found := 0
	for _, g := range s.segments {
		if g.RemovedIn == 0 && removed[g.Ref] {
			found++
		}
	}
	if found != len(removed) {
		return 0, ErrConflict
	}
	s.version++
	for i, g := range s.segments {
		if g.RemovedIn == 0 && removed[g.Ref] {
			s.segments[i].RemovedIn = s.version
		}
	}
	for _, g := range c.Added {
		g.AddedIn, g.RemovedIn = s.version, 0
		s.segments = append(s.segments, g)
	}
	for _, a := range c.Assets {
		a.Version = s.version
		s.assets[a.ID], s.bySymbol[a.Symbol] = a, a.ID
	}
	s.records = append(s.records, c.Record)
	return s.version, nil
}

// Fragmented implements importing.Manifest.
func (s *Memory) Fragmented(_ context.Context, segments, limit int) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := map[string]int{}
	for _, g := range s.segments {
		if g.RemovedIn == 0 {
			counts[g.AssetID]++
		}
	}
	var ids []string
	for id, n := range counts {
		if n >= segments {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return ids[:min(limit, len(ids))], nil
}

// Objects implements Objects.
func (s *Memory) Objects(context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[string]bool{}
	var keys []string
	for _, g := range s.segments {
		if !seen[g.Object] {
			seen[g.Object] = true
			keys = append(keys, g.Object)
		}
	}
	return keys, nil
}

// Records returns the committed changes, oldest first.
func (s *Memory) Records() []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.records)
}

// Symbols returns the id of every asset by its symbol.
func (s *Memory) Symbols() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]string, len(s.bySymbol))
	for symbol, id := range s.bySymbol {
		out[symbol] = id
	}
	return out
}
