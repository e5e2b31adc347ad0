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
	// memberWait is how soon a run looks again for the first result of a member.
	memberWait = 250 * time.Millisecond
	// mostAttempts ends a run that takes its worker down again and again: such
	// attempts end without an error.
	mostAttempts = 20
)

// executor carries out runs; *program.Executor is one.
type executor interface {
	Execute(ctx context.Context, runID string) error
	Abandon(ctx context.Context, runID string, cause error) error
}

// runWorker executes runs.
type runWorker struct {
	river.WorkerDefaults[RunArgs]
	executor executor
	lanes    *lanes
}

// Work executes the run to its end, or asks for another try. In a first lane it
// makes room for the account's next run where this one has ended, or waits for
// something else than its account's turn.
func (w *runWorker) Work(ctx context.Context, job *river.Job[RunArgs]) error {
	if !strings.HasSuffix(job.Queue, firstLane) {
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

// end is what has become of a job.
type end int

const (
	endDone  end = iota // of the run, too
	endTurn             // waits for its account's turn
	endWaits            // waits for something else
)

func (w *runWorker) work(ctx context.Context, job *river.Job[RunArgs]) (end, error) {
	if job.Attempt > mostAttempts {
		return endDone, w.abandon(ctx, job, errors.New("no worker has lived through the run"))
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
		return endWaits, err // stopped with the service: the next start takes it up
	case job.Attempt >= job.MaxAttempts:
		return endDone, w.abandon(ctx, job, err)
	}
	return endWaits, err
}

// turnWait is how soon a run looks again whether it is its account's turn: the
// later, the more often it has looked, so that a long queue of one account keeps
// the workers free for others.
func turnWait(metadata []byte) time.Duration {
	var m struct{ Snoozes int }
	_ = json.Unmarshal(metadata, &m) // a job that never waited has none
	return min(time.Duration(1+m.Snoozes)*turnStep, longestTurn)
}

const (
	turnStep    = 100 * time.Millisecond
	longestTurn = 2 * time.Second
)

// execute makes an error of a panic, so that the last one ends the run too.
func (w *runWorker) execute(ctx context.Context, runID string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return w.executor.Execute(ctx, runID)
}

// abandon ends the run. Where that fails the job is kept, not discarded: without
// a job the run would be in flight for ever.
func (w *runWorker) abandon(ctx context.Context, job *river.Job[RunArgs], cause error) error {
	if err := w.executor.Abandon(ctx, job.Args.RunID, cause); err != nil {
		return river.JobSnooze(abandonWait)
	}
	return river.JobCancel(cause)
}

// abandonWait is how soon a run is abandoned again that could not be.
const abandonWait = time.Second

// Timeout leaves the limit to the sandbox, which names it when it is broken.
func (w *runWorker) Timeout(*river.Job[RunArgs]) time.Duration { return -1 }

// NextRetry doubles the wait from half a second on.
func (w *runWorker) NextRetry(job *river.Job[RunArgs]) time.Time {
	return time.Now().Add(500 * time.Millisecond << min(job.Attempt, 6))
}
