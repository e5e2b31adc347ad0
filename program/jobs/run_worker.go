package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"ballast/program"
)

const (
	// memberWait is how soon a run looks again for the first result of a member.
	memberWait = 250 * time.Millisecond
	// mostAttempts ends a run that takes its worker down again and again.
	mostAttempts = 20
)

// runWorker executes runs.
type runWorker struct {
	river.WorkerDefaults[RunArgs]
	executor *program.Executor
}

// Work executes the run to its end, or asks for another try.
func (w *runWorker) Work(ctx context.Context, job *river.Job[RunArgs]) error {
	err := w.executor.Execute(ctx, job.Args.RunID)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, program.ErrMembersPending):
		return river.JobSnooze(memberWait)
	case ctx.Err() != nil:
		return err // stopped with the service: the next start takes it up
	case job.Attempt >= min(job.MaxAttempts, mostAttempts):
		if err := w.executor.Abandon(ctx, job.Args.RunID, err); err != nil {
			return err
		}
		return river.JobCancel(err)
	}
	return err
}

// Timeout leaves the limit to the sandbox, which names it when it is broken.
func (w *runWorker) Timeout(*river.Job[RunArgs]) time.Duration { return -1 }

// NextRetry doubles the wait from half a second on.
func (w *runWorker) NextRetry(job *river.Job[RunArgs]) time.Time {
	return time.Now().Add(500 * time.Millisecond << min(job.Attempt, 6))
}
