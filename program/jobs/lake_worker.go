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

// InsertOpts puts the job beside the gathering, and leaves out one that would wait
// for another.
func (LakeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: gatherQueue, MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByState: unfinishedStates}}
}

// Publishing is a periodic publication.
type Publishing struct {
	Publish func(ctx context.Context) error
	Every   time.Duration
}

type lakeWorker struct {
	river.WorkerDefaults[LakeArgs]
	publish func(ctx context.Context) error
}

// Work publishes.
func (w *lakeWorker) Work(ctx context.Context, _ *river.Job[LakeArgs]) error { return w.publish(ctx) }

// Timeout leaves the time to the number of results.
func (w *lakeWorker) Timeout(*river.Job[LakeArgs]) time.Duration { return -1 }

// periodic is the job, also on a start.
func (p *Publishing) periodic() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(p.Every),
		func() (river.JobArgs, *river.InsertOpts) { return LakeArgs{}, nil },
		&river.PeriodicJobOpts{RunOnStart: true})
}
