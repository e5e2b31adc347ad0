package service

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"ballast/operate/doctor"
	"ballast/program/jobs"
	"ballast/program/result"
	"ballast/query/segments"
	"ballast/timeseries/bars"
)

// temporarySweeper deletes the files that killed imports and loads have left in the
// temporary folder.
type temporarySweeper struct {
	dir string
	log *slog.Logger
}

var leftovers = []string{"load-*", "bars-*.csv", "query-*"}

// Sweep implements jobs.Sweeper.
func (t temporarySweeper) Sweep(ctx context.Context) error {
	var problems []error
	for _, pattern := range leftovers {
		found, err := filepath.Glob(filepath.Join(t.dir, pattern))
		if err != nil {
			return err
		}
		for _, path := range found {
			info, err := os.Stat(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue // its owner has just deleted it
			}
			if err == nil && time.Since(info.ModTime()) > bars.SweepGrace {
				t.log.InfoContext(ctx, "deleted an abandoned temporary file", "path", path)
				err = os.RemoveAll(path)
			}
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// ResultSweeper deletes result objects that no run names.
func ResultSweeper(s *Storage, grace time.Duration, log *slog.Logger) jobs.Sweeper {
	return &result.Sweeper{Store: s.DB, Bucket: s.Bucket, Grace: grace, Logger: log, Now: time.Now}
}

// NewGatherer returns a gatherer, which writes results into segments.
func NewGatherer(s *Storage, log *slog.Logger) *segments.Gatherer {
	return &segments.Gatherer{Runs: s.DB, Catalog: s.DB, Bucket: s.Bucket, Logger: log}
}

// SegmentSweeper deletes the files of segments that nothing reads any longer.
func SegmentSweeper(s *Storage, grace time.Duration, log *slog.Logger) jobs.Sweeper {
	return &segments.Sweeper{Names: s.DB, Bucket: s.Bucket, Grace: grace, Logger: log, Now: time.Now}
}

// SegmentCheck finds segments whose files are damaged, and segment files that no
// database row names.
func SegmentCheck(s *Storage, grace time.Duration, log *slog.Logger) doctor.Check {
	sweeper := &segments.Sweeper{Names: s.DB, Bucket: s.Bucket, Grace: grace, Logger: log, Now: time.Now}
	return segments.Check(NewGatherer(s, log), sweeper)
}

// FigureCheck compares the stored figures of runs with their results.
func FigureCheck(s *Storage, results *result.Store, log *slog.Logger) doctor.Check {
	c := &result.FigureChecker{Rows: s.DB, Filler: &result.FigureFiller{Store: s.DB, Results: results, Logger: log}}
	return c.Check()
}

// BarSweeper deletes bar objects that no version names.
func BarSweeper(s *Storage, grace time.Duration, log *slog.Logger) jobs.Sweeper {
	return barSweeper{s: s, grace: grace, log: log}
}

type barSweeper struct {
	s     *Storage
	grace time.Duration
	log   *slog.Logger
}

func (b barSweeper) Sweep(ctx context.Context) error {
	deleted, err := bars.Sweep(ctx, b.s.DB, b.s.Bucket, b.grace)
	for _, key := range deleted {
		b.log.InfoContext(ctx, "deleted orphaned bars", "object", key)
	}
	return err
}
