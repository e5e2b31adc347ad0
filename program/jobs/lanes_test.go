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

// laneLog notes what is moved.
type laneLog []string

func (l *laneLog) Advance(_ context.Context, account, queue string, leaving int64, hurry bool) error {
	*l = append(*l, fmt.Sprint("advance ", account, " ", queue, " ", leaving, " ", hurry))
	return nil
}

func (l *laneLog) Retreat(_ context.Context, job int64, queue string) error {
	*l = append(*l, fmt.Sprint("retreat ", job, " ", queue))
	return nil
}

func TestLanesMove(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		queue string
		err   error
		want  []string
	}{
		"a run that has ended makes room":             {FirstLane(RunQueue), nil, []string{"advance a default 7 true"}},
		"one that waits for a member leaves":          {FirstLane(RunQueue), program.ErrMembersPending, []string{"retreat 7 default", "advance a default 7 false"}},
		"one that is tried again leaves":              {FirstLane(GenerationQueue), errors.New("broken"), []string{"retreat 7 generation", "advance a generation 7 false"}},
		"one that waits for its account's turn stays": {FirstLane(RunQueue), program.ErrAccountBusy, nil},
		"a run of the queue itself moves nobody":      {RunQueue, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var moved laneLog
			w := &runWorker{executor: &scriptedExecutor{execute: func() error { return test.err }}, lanes: newLanes(&moved, slog.New(slog.DiscardHandler))}
			_ = w.Work(t.Context(), laneJob(test.queue))
			if !slices.Equal(moved, test.want) {
				t.Errorf("%q, want %q", moved, test.want)
			}
		})
	}
}

// Jobs that were queued at the same moment can be in a lane together: the second
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
	if want := []string{"retreat 7 default", "advance a default 7 true"}; !slices.Equal(moved, want) {
		t.Errorf("%q, want %q", moved, want)
	}
}

func laneJob(queue string) *river.Job[RunArgs] {
	return &river.Job[RunArgs]{
		JobRow: &rivertype.JobRow{ID: 7, Queue: queue, Attempt: 1, MaxAttempts: 5}, Args: RunArgs{RunID: "run_1", AccountID: "a"},
	}
}
