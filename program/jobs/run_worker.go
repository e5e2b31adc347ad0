package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"ballast/program"
)

const (
	// memberWait is when a run that waits for a member's first result looks again.
	memberWait = 250 * time.Millisecond
	// mostAttempts ends a run that kills its worker again and again, because such
	// attempts end without an error.
	mostAttempts = 20
)

// executor carries out runs. *execution.Executor implements it.
type executor interface {
	Execute(ctx context.Context, runID string) error
	Abandon(ctx context.Context, runID string, cause error) error
}

// runWorker executes runs.
type runWorker struct {
	river.WorkerDefaults[RunArgs]
	executor executor
	lanes    *lanes
	releaser *releaser
}

// Work executes the run to its end, or asks for another try. In a first lane it makes
// room for the account's next run when this one has ended, or waits for something
// other than its account's turn.
func (w *runWorker) Work(ctx context.Context, job *river.Job[RunArgs]) error {
	if !strings.HasSuffix(job.Queue, firstLane) {
		w.releaser.begun(job.Queue)
		defer w.releaser.ended(job.Queue, job.ID)
		_, err := w.work(ctx, job)
		return err
	}
	if !w.lanes.enter(job.Queue, job.Args.AccountID) {
		w.lanes.leave(ctx, job, false)
		return river.JobSnooze(0)
	}
	end, err := w.work(ctx, job)
	w.lanes.exit(job.Queue, job.Args.AccountID)
	switch end {
	case endDone:
		w.lanes.leave(ctx, job, true)
	case endWaits:
		w.lanes.leave(ctx, job, false)
	}
	return err
}

// end is how the work on a job ended.
type end int

const (
	endDone  end = iota // the run has ended
	endTurn             // the run waits for its account's turn
	endWaits            // the run waits for something else
)

func (w *runWorker) work(ctx context.Context, job *river.Job[RunArgs]) (end, error) {
	if job.Attempt > mostAttempts {
		return endDone, w.abandon(ctx, job, errors.New("no worker has survived the run"))
	}
	err := w.execute(ctx, job.Args.RunID)
	switch {
	case err == nil:
		return endDone, nil
	case errors.Is(err, program.ErrMembersPending):
		return endWaits, river.JobSnooze(memberWait)
	case errors.Is(err, program.ErrAccountBusy):
		return endTurn, river.JobSnooze(turnWait(job.Metadata))
	case ctx.Err() != nil:
		return endWaits, err // the service is stopping: the next start resumes the job
	case job.Attempt >= job.MaxAttempts:
		return endDone, w.abandon(ctx, job, err)
	}
	return endWaits, err
}

// turnWait is when a run looks again whether it is its account's turn. The more often
// it has looked, the longer it waits, so that a long queue of one account leaves the
// workers free for others.
func turnWait(metadata []byte) time.Duration {
	var m struct{ Snoozes int }
	_ = json.Unmarshal(metadata, &m) // a job that never waited has no metadata
	return min(time.Duration(1+m.Snoozes)*turnStep, longestTurn)
}

const (
	turnStep    = 100 * time.Millisecond
	longestTurn = 2 * time.Second
)

// execute turns a panic into an error, so that a panic in the last attempt ends the
// run too.
func (w *runWorker) execute(ctx context.Context, runID string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return w.executor.Execute(ctx, runID)
}

// abandon ends the run. If that fails, the job is kept, because without a job the run
// would be in progress for ever.
func (w *runWorker) abandon(ctx context.Context, job *river.Job[RunArgs], cause error) error {
	if err := w.executor.Abandon(ctx, job.Args.RunID, cause); err != nil {
		return river.JobSnooze(abandonWait)
	}
	return river.JobCancel(cause)
}

// abandonWait is when abandoning a run is tried again.
const abandonWait = time.Second

// Timeout sets none; the sandbox enforces the limit and names it when it is exceeded.
func (w *runWorker) Timeout(*river.Job[RunArgs]) time.Duration { return -1 }

// NextRetry doubles the wait, starting at one second.
func (w *runWorker) NextRetry(job *river.Job[RunArgs]) time.Time {
	return time.Now().Add(500 * time.Millisecond << min(job.Attempt, 6))
}
