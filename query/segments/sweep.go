package segments

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"ballast/storage/columnar"
)

// Sweeper deletes the files of segments that nothing reads any more: dropped ones, and
// those that were never committed. Grace must be longer than any query or gathering
// takes.
type Sweeper struct {
	Names  Names
	Bucket columnar.Bucket
	Grace  time.Duration
	Logger *slog.Logger
	Now    func() time.Time
}

// Sweep goes through all objects of segments once.
func (s *Sweeper) Sweep(ctx context.Context) error {
	if err := s.Names.ForgetSegments(ctx, s.Now().Add(-s.Grace)); err != nil {
		return err
	}
	unnamed, err := s.unnamed(ctx)
	if err != nil {
		return err
	}
	for _, key := range unnamed {
		if err := s.Bucket.Delete(ctx, key); err != nil {
			return err
		}
		s.Logger.InfoContext(ctx, "deleted a file of segments that is no longer read", "object", key)
	}
	return nil
}

// unnamed returns the objects that no segment names and that are older than the grace.
func (s *Sweeper) unnamed(ctx context.Context) ([]string, error) {
	// The objects are listed before the names are read, so that the names include what is
	// committed meanwhile.
	var old []string
	for entry, err := range s.Bucket.List(ctx, Prefix) {
		if err != nil {
			return nil, fmt.Errorf("list segments: %w", err)
		}
		if s.Now().Sub(entry.Modified) > s.Grace {
			old = append(old, entry.Key)
		}
	}
	if len(old) == 0 {
		return nil, nil
	}
	keys, err := s.Names.SegmentObjects(ctx)
	if err != nil {
		return nil, err
	}
	named := make(map[string]bool, len(keys))
	for _, key := range keys {
		named[key] = true
	}
	return slices.DeleteFunc(old, func(key string) bool { return named[key] }), nil
}
