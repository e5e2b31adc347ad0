// Package jobs does the background work. It holds the arguments of River's jobs,
// which are only ids, and the workers that carry them out.
package jobs

import "github.com/riverqueue/river"

// RunArgs executes one run and publishes its result. It may be executed twice: a run
// that has ended is left unchanged.
type RunArgs struct {
	RunID     string `json:"run_id" river:"unique"`
	AccountID string `json:"account_id"`
}

// Kind names the job.
func (RunArgs) Kind() string { return "run" }

// InsertOpts makes the job unique per run.
func (RunArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: river.QueueDefault, MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// SweepArgs deletes objects that no row names.
type SweepArgs struct{}

// Kind names the job.
func (SweepArgs) Kind() string { return "sweep" }
