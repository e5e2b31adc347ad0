package jobs

import (
	"context"

	"github.com/riverqueue/river"
)

// Sweeper deletes objects that no row names.
type Sweeper interface {
	Sweep(ctx context.Context) error
}

// sweepWorker cleans up after crashes.
type sweepWorker struct {
	river.WorkerDefaults[SweepArgs]
	sweepers []Sweeper
}

// Work runs every sweeper once.
func (w *sweepWorker) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	for _, s := range w.sweepers {
		if err := s.Sweep(ctx); err != nil {
			return err
		}
	}
	return nil
}
