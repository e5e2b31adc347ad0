package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"ballast/program"
)

// RefreshArgs begins the recurring refresh of a session. It may be worked twice:
// what has not moved is left alone.
type RefreshArgs struct {
	Session string `json:"session" river:"unique"`
}

// Kind names the job.
func (RefreshArgs) Kind() string { return "refresh" }

// InsertOpts makes the job unique by session.
func (RefreshArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// refreshWorker begins refreshes.
type refreshWorker struct {
	river.WorkerDefaults[RefreshArgs]
	refresher *program.Refresher
}

// Work brings in bars and queues what has to follow.
func (w *refreshWorker) Work(ctx context.Context, _ *river.Job[RefreshArgs]) error {
	return w.refresher.Refresh(ctx, false)
}

// Timeout leaves the time to the size of the files.
func (w *refreshWorker) Timeout(*river.Job[RefreshArgs]) time.Duration { return -1 }

// nightly is the periodic job: also on a start, for the session that may have
// been missed.
func nightly(r *program.Refresher) *river.PeriodicJob {
	return river.NewPeriodicJob(r.When, func() (river.JobArgs, *river.InsertOpts) {
		return RefreshArgs{Session: r.When.Session(r.Now()).String()}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}
