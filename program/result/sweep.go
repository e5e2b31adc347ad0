package result

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"ballast/storage/columnar"
)

// Names reports which result objects runs name.
type Names interface {
	// ResultObjects returns the keys of the objects that runs name.
	ResultObjects(ctx context.Context, runIDs []string) (map[string]bool, error)
}

// Objects lists result objects and deletes them. columnar.Bucket implements it.
type Objects interface {
	columnar.ObjectLister
	// Delete deletes an object. A missing object is not an error.
	Delete(ctx context.Context, key string) error
}

// Sweeper deletes result objects that no run names. A worker leaves such objects if
// it is killed between writing them and the commit.
type Sweeper struct {
	Store   Names
	Bucket  Objects
	Grace   time.Duration // age from which an unnamed object is an orphan; longer than any run takes
	Logger  *slog.Logger
	Now     func() time.Time
	Deleted func(n int) // called with the number of deleted objects; may be nil
}

// sweepBatch is how many keys one query checks.
const sweepBatch = 1000

// Sweep checks all result objects once.
func (s *Sweeper) Sweep(ctx context.Context) error {
	var old []string
	for entry, err := range s.Bucket.List(ctx, Prefix) {
		if err != nil {
			return fmt.Errorf("list results: %w", err)
		}
		if s.Now().Sub(entry.Modified) < s.Grace {
			continue
		}
		if old = append(old, entry.Key); len(old) == sweepBatch {
			if err := s.sweep(ctx, old); err != nil {
				return err
			}
			old = old[:0]
		}
	}
	return s.sweep(ctx, old)
}

func (s *Sweeper) sweep(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	runIDs := make([]string, len(keys))
	for i, key := range keys {
		runIDs[i] = runOf(key)
	}
	named, err := s.Store.ResultObjects(ctx, runIDs)
	if err != nil {
		return fmt.Errorf("read which results are named: %w", err)
	}
	deleted := 0
	for _, key := range keys {
		if named[key] {
			continue
		}
		if err := s.Bucket.Delete(ctx, key); err != nil {
			return err
		}
		deleted++
		s.Logger.InfoContext(ctx, "deleted an orphaned result", "object", key, "run_id", runOf(key))
	}
	if s.Deleted != nil && deleted > 0 {
		s.Deleted(deleted)
	}
	return nil
}
