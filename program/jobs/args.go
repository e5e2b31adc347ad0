// Package jobs holds the background work: the arguments of River's jobs, ids
// alone, and the workers that carry them out.
package jobs

import "github.com/riverqueue/river"

// RunArgs executes one run and publishes its result. It may be worked twice:
// a run that has ended is left as it is.
type RunArgs struct {
	RunID string `json:"run_id" river:"unique"`
}

// Kind names the job.
func (RunArgs) Kind() string { return "run" }

// InsertOpts makes the job unique by run.
func (RunArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: river.QueueDefault, MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// generationQueue is worked beside that of the runs by those whose script a
// language model has to write first.
const generationQueue = "generation"

// Generating puts a run into the queue of those that wait for a language model.
func Generating() *river.InsertOpts { return &river.InsertOpts{Queue: generationQueue} }

// SweepArgs removes objects that no row names.
type SweepArgs struct{}

// Kind names the job.
func (SweepArgs) Kind() string { return "sweep" }
