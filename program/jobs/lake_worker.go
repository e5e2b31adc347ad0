package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// LakeArgs publishes the results of all accounts as Iceberg tables. It may be worked
// twice: what is published already is left alone.
type LakeArgs struct{}

// Kind names the job.
func (LakeArgs) Kind() string { return "lake" }

// lakeQueue is worked one job at a time, by processes that publish.
const lakeQueue = "lake"

// InsertOpts leaves out a job that would wait for another.
func (LakeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: lakeQueue, MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByState: unfinishedStates}}
}

// Publishing is a periodic publication.
type Publishing struct {
	Publish func(ctx context.Context) error
	Every   time.Duration
}

type lakeWorker struct {
	river.WorkerDefaults[LakeArgs]
	publishing *Publishing // nil if this process does not publish
}

// Work publishes.
func (w *lakeWorker) Work(ctx context.Context, _ *river.Job[LakeArgs]) error {
	if w.publishing == nil {
		return elsewhere()
	}
	return w.publishing.Publish(ctx)
}

// Timeout leaves the time to the number of results.
func (w *lakeWorker) Timeout(*river.Job[LakeArgs]) time.Duration { return -1 }
