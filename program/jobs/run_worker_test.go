package jobs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"ballast/program"
)

// scriptedExecutor returns what it is told, and records the runs that it ended.
type scriptedExecutor struct {
	execute   func() error
	abandon   error
	executed  int
	abandoned []string
}

func (e *scriptedExecutor) Execute(context.Context, string) error {
	e.executed++
	return e.execute()
}

func (e *scriptedExecutor) Abandon(_ context.Context, runID string, _ error) error {
	e.abandoned = append(e.abandoned, runID)
	return e.abandon
}

func TestRunWorker(t *testing.T) {
	t.Parallel()
	broken := errors.New("storage is broken")
	fails := func() error { return broken }
	var snooze *rivertype.JobSnoozeError
	var cancel *rivertype.JobCancelError
	tests := []struct {
		name      string
		execute   func() error
		abandon   error
		attempt   int
		stopped   bool
		executed  int
		abandoned int
		fits      func(error) bool
	}{
		{name: "done", execute: func() error { return nil }, attempt: 1, executed: 1, fits: func(err error) bool { return err == nil }},
		{name: "members pending", execute: func() error { return program.ErrMembersPending }, attempt: 5, executed: 1,
			fits: func(err error) bool { return errors.As(err, &snooze) && snooze.Duration == memberWait }},
		{name: "not the account's turn", execute: func() error { return program.ErrAccountBusy }, attempt: 5, executed: 1,
			fits: func(err error) bool { return errors.As(err, &snooze) && snooze.Duration == turnStep }},
		{name: "tried again", execute: fails, attempt: 4, executed: 1, fits: func(err error) bool { return errors.Is(err, broken) }},
		{name: "stopped on the last attempt", execute: fails, attempt: 5, stopped: true, executed: 1,
			fits: func(err error) bool { return errors.Is(err, broken) && !errors.As(err, &cancel) }},
		{name: "abandoned after the last attempt", execute: fails, attempt: 5, executed: 1, abandoned: 1,
			fits: func(err error) bool { return errors.As(err, &cancel) }},
		{name: "kept where abandoning fails", execute: fails, abandon: broken, attempt: 5, executed: 1, abandoned: 1,
			fits: func(err error) bool { return errors.As(err, &snooze) }},
		{name: "panics on the last attempt", execute: func() error { panic("lost") }, attempt: 5, executed: 1, abandoned: 1,
			fits: func(err error) bool { return errors.As(err, &cancel) && strings.Contains(err.Error(), "panic: lost") }},
		{name: "has taken worker after worker down", execute: func() error { return nil }, attempt: mostAttempts + 1, abandoned: 1,
			fits: func(err error) bool { return errors.As(err, &cancel) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			if test.stopped {
				stop()
			}
			e := &scriptedExecutor{execute: test.execute, abandon: test.abandon}
			err := (&runWorker{executor: e, releaser: newReleaser(nil, Slots{}, nil)}).Work(ctx, &river.Job[RunArgs]{
				JobRow: &rivertype.JobRow{Queue: RunQueue, Attempt: test.attempt, MaxAttempts: 5}, Args: RunArgs{RunID: "run_1"},
			})
			if !test.fits(err) || e.executed != test.executed || len(e.abandoned) != test.abandoned {
				t.Errorf("error %v (%T), executed %d times, abandoned %v", err, err, e.executed, e.abandoned)
			}
		})
	}
}

func TestTurnWait(t *testing.T) {
	t.Parallel()
	for metadata, want := range map[string]time.Duration{
		"": turnStep, "{}": turnStep, `{"snoozes": 3}`: 4 * turnStep, `{"snoozes": 1000}`: longestTurn, "[": turnStep,
	} {
		if got := turnWait([]byte(metadata)); got != want {
			t.Errorf("%q: %v, want %v", metadata, got, want)
		}
	}
}

func TestNextRetry(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 6: 32 * time.Second, 20: 32 * time.Second} {
		job := &river.Job[RunArgs]{JobRow: &rivertype.JobRow{Attempt: attempt}}
		if wait := time.Until((&runWorker{}).NextRetry(job)); wait > want || wait < want-time.Second/2 {
			t.Errorf("after attempt %d: %v, want %v", attempt, wait, want)
		}
	}
}

func TestCalmLogger(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	stopping := &atomic.Bool{}
	log := slog.New(calm{Handler: slog.NewTextHandler(&out, nil), stopping: stopping}).With("component", "queue").WithGroup("g")
	ended := func() { log.Error("Error starting transaction", "error", context.Canceled.Error()) }
	logged := func() bool {
		defer out.Reset()
		return out.Len() > 0
	}
	if ended(); !logged() {
		t.Error("a canceled context is not told of while working")
	}
	stopping.Store(true)
	if ended(); logged() {
		t.Error("a canceled context is told of while stopping")
	}
	if log.Error("Error starting transaction", "error", "disk full"); !logged() {
		t.Error("another error is not told of while stopping")
	}
	if log.Info("stopped", "cause", context.Canceled.Error()); !logged() {
		t.Error("information is not told while stopping")
	}
}
