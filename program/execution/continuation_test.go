package execution

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"ballast/backtest"
	"ballast/program"
	"ballast/script"
	"ballast/script/sandbox"
)

// refusing is a sandbox that fails jobs that continue an earlier result.
type refusing struct {
	err  error
	jobs int
}

func (r *refusing) Run(_ context.Context, job sandbox.Job) (*sandbox.Outcome, error) {
	r.jobs++
	if job.Earlier != nil && r.err != nil {
		return nil, r.err
	}
	return &sandbox.Outcome{}, nil
}

// TestRunsThatCannotGoOnBegin shows that a run never fails because of a saved state.
func TestRunsThatCannotGoOnBegin(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		name      string
		ctx       context.Context
		err       error
		continued bool
		jobs      int
		fails     bool
	}{
		{"goes on", t.Context(), nil, true, 1, false},
		{"cannot", t.Context(), errors.New("damaged message"), false, 2, false},
		{"refused within", t.Context(), &script.RunError{Type: script.InternalError}, false, 2, false},
		{"the script's own fault", t.Context(), &script.RunError{Type: script.ScriptError}, true, 1, true},
		{"canceled", stopped, context.Canceled, true, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &refusing{err: c.err}
			e := NewExecutor(ExecutorConfig{Sandbox: s, Logger: slog.New(slog.DiscardHandler)})
			outcome, continued, err := e.sandboxed(c.ctx, "run_1", sandbox.Job{Earlier: &backtest.Result{}})
			if (err != nil) != c.fails || continued != c.continued || s.jobs != c.jobs || (outcome == nil) != c.fails {
				t.Errorf("continued %t after %d jobs: %v", continued, s.jobs, err)
			}
		})
	}
}

// TestStatesOfAnotherHarnessAreIgnored shows that only a result of the current harness,
// and of the same build and inputs, is continued, whatever harness the new run was
// queued under.
func TestStatesOfAnotherHarnessAreIgnored(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(run, live *program.Run)
		want   bool
	}{
		{"the same", func(_, _ *program.Run) {}, true},
		{"an earlier harness", func(_, live *program.Run) { live.HarnessVersion = "1.1.0" }, false},
		{"queued under an earlier harness", func(run, _ *program.Run) { run.HarnessVersion = "1.1.0" }, true},
		{"another build", func(run, _ *program.Run) { run.BuildID = "build_2" }, false},
		{"another script", func(run, _ *program.Run) { run.ScriptHash = "2" }, false},
		{"other inputs", func(run, _ *program.Run) { run.Inputs = []byte(`{"n":2}`) }, false},
		{"a failed run", func(_, live *program.Run) { live.Status = program.RunFailed }, false},
		{"a short run", func(_, live *program.Run) { live.Summary.Execution.Steps = 1 }, false},
	} {
		made := func() *program.Run {
			return &program.Run{
				Status: program.RunComplete, BuildID: "build_1", ScriptHash: "1", HarnessVersion: script.HarnessVersion,
				Inputs: []byte(`{"n":1}`), Summary: &program.Summary{Execution: program.Execution{Steps: manySteps}},
			}
		}
		run, live := made(), made()
		c.change(run, live)
		if got := continues(run, live); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

func TestLong(t *testing.T) {
	began := time.Now()
	earlier := "run_1"
	for _, c := range []struct {
		name  string
		steps uint64
		from  *string
		took  time.Duration
		want  bool
	}{
		{"short", 1000, nil, 30 * time.Millisecond, false},
		{"many steps", manySteps, nil, 30 * time.Millisecond, true},
		{"slow", 1000, nil, longRun, true},
		{"continued", 1000, &earlier, 30 * time.Millisecond, true},
	} {
		ended := began.Add(c.took)
		s := &program.Summary{ContinuedFrom: c.from, Execution: program.Execution{Steps: c.steps}}
		if got := long(s, &began, &ended); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	if long(nil, nil, nil) {
		t.Error("a run without a result is long")
	}
}
