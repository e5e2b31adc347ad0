package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"ballast/program"
)

// laneLog records moves.
type laneLog []string

func (l *laneLog) LeaveLane(_ context.Context, job int64, account, queue string, hurry bool) error {
	*l = append(*l, fmt.Sprint(job, " of ", account, " leaves ", queue, " ", hurry))
	return nil
}

func (l *laneLog) FillLane(_ context.Context, queue string) error {
	*l = append(*l, "fill "+queue)
	return nil
}

func (l *laneLog) Release(_ context.Context, queue string, ended []int64) (bool, error) {
	*l = append(*l, fmt.Sprint("release ", queue, " ", ended))
	return false, nil
}

func TestLanesMove(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		queue string
		err   error
		want  []string
	}{
		"a run that has ended makes room":             {FirstLane(RunQueue), nil, []string{"7 of a leaves default true"}},
		"one that waits for a member leaves":          {FirstLane(RunQueue), program.ErrMembersPending, []string{"7 of a leaves default false"}},
		"one that is tried again leaves":              {FirstLane(GenerationQueue), errors.New("broken"), []string{"7 of a leaves generation false"}},
		"one that waits for its account's turn stays": {FirstLane(RunQueue), program.ErrAccountBusy, nil},
		"a run of the queue itself moves nobody":      {RunQueue, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var moved laneLog
			w := &runWorker{executor: &scriptedExecutor{execute: func() error { return test.err }}, lanes: newLanes(&moved, slog.New(slog.DiscardHandler)), releaser: newReleaser(&moved, Slots{}, nil)}
			_ = w.Work(t.Context(), laneJob(test.queue))
			if !slices.Equal(moved, test.want) {
				t.Errorf("%q, want %q", moved, test.want)
			}
		})
	}
}

// Jobs that were queued at the same time can be in a lane together: the second one
// goes back.
func TestALaneTakesOneJobOfAnAccount(t *testing.T) {
	t.Parallel()
	var moved laneLog
	lanes := newLanes(&moved, slog.New(slog.DiscardHandler))
	second := &runWorker{executor: &scriptedExecutor{execute: func() error { t.Error("was worked"); return nil }}, lanes: lanes}
	first := &runWorker{lanes: lanes, executor: &scriptedExecutor{execute: func() error {
		var snooze *rivertype.JobSnoozeError
		if err := second.Work(t.Context(), laneJob(FirstLane(RunQueue))); !errors.As(err, &snooze) {
			t.Errorf("error %v", err)
		}
		return nil
	}}}
	if err := first.Work(t.Context(), laneJob(FirstLane(RunQueue))); err != nil {
		t.Error(err)
	}
	if want := []string{"7 of a leaves default false", "7 of a leaves default true"}; !slices.Equal(moved, want) {
		t.Errorf("%q, want %q", moved, want)
	}
}

func laneJob(queue string) *river.Job[RunArgs] {
	return &river.Job[RunArgs]{
		JobRow: &rivertype.JobRow{ID: 7, Queue: queue, Attempt: 1, MaxAttempts: 5}, Args: RunArgs{RunID: "run_1", AccountID: "a"},
	}
}
