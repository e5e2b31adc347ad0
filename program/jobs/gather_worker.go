package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// GatherArgs gathers the results of all accounts into segments. It may be worked
// twice: what is gathered already is left alone.
type GatherArgs struct{}

// Kind names the job.
func (GatherArgs) Kind() string { return "gather" }

// InsertOpts gives the job a queue of its own, so that it takes no worker from the
// runs, and leaves out one that would wait for another.
func (GatherArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: gatherQueue, MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByState: unfinishedStates}}
}

// unfinishedStates are those of a job that is still to be worked off.
var unfinishedStates = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateRetryable, rivertype.JobStateScheduled,
}

// gatherQueue is worked one job at a time in each process.
const gatherQueue = "gather"

// gatherInterval is how often results are gathered. Until then a query reads new
// ones from their own files.
const gatherInterval = 5 * time.Minute

// Gatherer gathers results.
type Gatherer interface {
	// GatherAll does what is to be done for all accounts.
	GatherAll(ctx context.Context) error
}

type gatherWorker struct {
	river.WorkerDefaults[GatherArgs]
	gatherer Gatherer
}

// Work gathers.
func (w *gatherWorker) Work(ctx context.Context, _ *river.Job[GatherArgs]) error {
	return w.gatherer.GatherAll(ctx)
}

// Timeout leaves the time to the number of results.
func (w *gatherWorker) Timeout(*river.Job[GatherArgs]) time.Duration { return -1 }
