package segments

import (
	"context"
	"errors"
	"slices"
	"time"

	"ballast/program"
)

// Prefix is the prefix of the keys of all objects of segments.
const Prefix = "segments/"

// Segment is a set of files that hold the rows of some runs of an account, one file per
// table.
type Segment struct {
	ID     string
	Tables program.Tables // by the names of Tables
	RunIDs []string       // the runs that it holds
	Purged bool           // it holds a run of a model that was purged
}

// ErrConflict says that the account's segments have changed since they were read.
var ErrConflict = errors.New("the segments have changed since they were read")

// Catalog stores the segments of accounts.
type Catalog interface {
	// Segments returns the current segments of an account, and the number of changes so
	// far (the generation).
	Segments(ctx context.Context, accountID string) (current []Segment, generation int64, err error)

	// CommitSegments adds a segment (nil for none) with the runs that it holds, and drops
	// others, all at once. It returns ErrConflict unless the generation is still base.
	CommitSegments(ctx context.Context, accountID string, base int64, added *Segment, runs []Run, dropped []string) error
}

// Runs lists the runs that belong in segments.
type Runs interface {
	// AccountsWithResults returns the accounts that have live runs or segments.
	AccountsWithResults(ctx context.Context) ([]string, error)

	// RunsToGather returns the runs that an account's models serve, and the runs of
	// member models that these have read, at any depth.
	RunsToGather(ctx context.Context, accountID string) ([]Run, error)
}

// Names lists the objects that segments name.
type Names interface {
	// ForgetSegments deletes the records of segments that were dropped before a time.
	ForgetSegments(ctx context.Context, before time.Time) error

	// SegmentObjects returns the keys of the objects of all segments, including dropped
	// ones.
	SegmentObjects(ctx context.Context) ([]string, error)
}

// Location is where the rows of some runs are stored.
type Location struct {
	Segments []Segment // hold at least one of the runs
	Masked   bool      // they also hold rows of other runs, which a query must filter out by run_id
	Loose    []Run     // in no segment: Write writes their rows
}

// Locate finds the rows of runs in the current segments.
func Locate(current []Segment, runs []Run) Location {
	wanted := make(map[string]bool, len(runs))
	for _, r := range runs {
		wanted[r.ID] = true
	}
	var l Location
	found := map[string]bool{}
	for _, s := range current {
		before := len(found)
		for _, id := range s.RunIDs {
			if wanted[id] {
				found[id] = true
			}
		}
		if n := len(found) - before; n > 0 {
			l.Segments = append(l.Segments, s)
			l.Masked = l.Masked || n < len(s.RunIDs)
		}
	}
	for _, r := range runs {
		if !found[r.ID] {
			l.Loose = append(l.Loose, r)
		}
	}
	return l
}

// Keys returns the keys of the segments' objects for a table.
func (l Location) Keys(t Table) []string {
	keys := make([]string, len(l.Segments))
	for i, s := range l.Segments {
		keys[i] = s.Tables[string(t)].Key
	}
	slices.Sort(keys)
	return keys
}
