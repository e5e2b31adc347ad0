package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"ballast/program/result"
)

// figuresQueue has one worker: filling takes no place from runs.
const figuresQueue = "figures"

// FiguresArgs computes the figures that complete runs lack.
type FiguresArgs struct{}

// Kind names the job.
func (FiguresArgs) Kind() string { return "figures" }

// InsertOpts keeps one job under way at a time.
func (FiguresArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: figuresQueue, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unfinished}}
}

// unfinished are the states of jobs that are still to be worked, or worked now.
var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
}

// figuresWorker fills in figures.
type figuresWorker struct {
	river.WorkerDefaults[FiguresArgs]
	filler *result.FigureFiller // nil if this process fills in none
}

// Work fills in what is missing.
func (w *figuresWorker) Work(ctx context.Context, _ *river.Job[FiguresArgs]) error {
	if w.filler == nil {
		return elsewhere()
	}
	return w.filler.Fill(ctx)
}

// Timeout leaves the time to the number of runs.
func (w *figuresWorker) Timeout(*river.Job[FiguresArgs]) time.Duration { return -1 }
