package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"ballast/program"
)

// RefreshArgs starts the recurring refresh for a session. It may be executed twice:
// models without changes are left alone.
type RefreshArgs struct {
	Session string `json:"session" river:"unique"`
}

// Kind names the job.
func (RefreshArgs) Kind() string { return "refresh" }

// refreshQueue is worked one job at a time, by processes with a recurring refresh.
const refreshQueue = "refresh"

// InsertOpts makes the job unique per session.
func (RefreshArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: refreshQueue, MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// refreshWorker starts refreshes.
type refreshWorker struct {
	river.WorkerDefaults[RefreshArgs]
	refresher *program.Refresher // nil if this process has no recurring refresh
}

// Work loads bars and queues the models that have to follow.
func (w *refreshWorker) Work(ctx context.Context, _ *river.Job[RefreshArgs]) error {
	if w.refresher == nil {
		return elsewhere()
	}
	return w.refresher.Refresh(ctx, false)
}

// Timeout sets none, because importing files takes as long as their size requires.
func (w *refreshWorker) Timeout(*river.Job[RefreshArgs]) time.Duration { return -1 }

// nightly returns the periodic job. It also runs on start, for a session that may
// have been missed.
func nightly(r *program.Refresher) *river.PeriodicJob {
	return river.NewPeriodicJob(r.When, func() (river.JobArgs, *river.InsertOpts) {
		return RefreshArgs{Session: r.When.Session(r.Now()).String()}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}
