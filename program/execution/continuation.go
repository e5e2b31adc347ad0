package execution

import (
	"bytes"
	"context"
	"errors"
	"time"

	"ballast/backtest"
	"ballast/program"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// A run is gone on with, rather than done again, where that is less work: to read
// twenty years of an earlier result takes 5 ms.
const (
	manySteps = 500_000                // of a script, in some 20 ms
	longRun   = 500 * time.Millisecond // whatever it is that takes them
)

// shortRuns is how many short runs a worker remembers, so as not to read them.
const shortRuns = 1 << 13

// continuation returns what the model's live run left, where this run does the
// same over a frame that is the same up to the live run's last stop: the same
// build, inputs and harness, and members whose past is as it was. It returns nil
// where the run has to begin from the beginning, which never is an error: it
// gives the same result.
func (e *Executor) continuation(ctx context.Context, run *program.Run, build *program.Build, model *program.Model, frame *timeseries.Frame) (*backtest.Result, string) {
	if !run.Publishes || run.Source.Builds() || build.Causality == nil || model.LiveRunID == "" {
		return nil, ""
	}
	if _, ok := e.short.Get(model.LiveRunID); ok {
		return nil, ""
	}
	live, err := e.programs.Run(ctx, model.LiveRunID)
	if err == nil && !continues(run, live) {
		return nil, ""
	}
	var earlier *backtest.Result
	if err == nil {
		earlier, err = e.results.UpTo(ctx, live, frame)
	}
	switch {
	case errors.Is(err, result.ErrRestated):
		e.log.InfoContext(ctx, "run begins from the beginning", "run_id", run.ID, "live_run_id", model.LiveRunID, "reason", err)
	case err != nil && ctx.Err() == nil:
		e.log.WarnContext(ctx, "earlier result not used", "run_id", run.ID, "live_run_id", model.LiveRunID, "error", err)
	case err == nil && earlier != nil:
		return earlier, live.ID
	}
	return nil, ""
}

// sandboxed runs a job. One that fails to go on from an earlier result, for no
// fault of its script, is run from the beginning.
func (e *Executor) sandboxed(ctx context.Context, runID string, job sandbox.Job) (outcome *sandbox.Outcome, continued bool, err error) {
	outcome, err = e.sandbox.Run(ctx, job)
	var failed *script.RunError
	if err == nil || job.Earlier == nil || ctx.Err() != nil || errors.Is(err, sandbox.ErrDisplaced) || errors.As(err, &failed) && failed.Type != script.InternalError {
		return outcome, job.Earlier != nil, err
	}
	e.log.ErrorContext(ctx, "run does not go on and begins from the beginning", "run_id", runID, "error", err)
	job.Earlier = nil
	outcome, err = e.sandbox.Run(ctx, job)
	return outcome, false, err
}

// continues reports whether a run is the live one again over other bars, and long
// enough to be gone on with.
func continues(run, live *program.Run) bool {
	return live.Status == program.RunComplete && live.BuildID == run.BuildID && live.ScriptHash == run.ScriptHash &&
		live.HarnessVersion == script.HarnessVersion &&
		bytes.Equal(live.Inputs, run.Inputs) && long(live.Summary, live.StartedAt, live.FinishedAt)
}

// long reports whether a run takes long from the beginning. One that was gone on
// with was long before.
func long(s *program.Summary, started, finished *time.Time) bool {
	if s != nil && (s.Execution.Steps >= manySteps || s.ContinuedFrom != nil) {
		return true
	}
	return started != nil && finished != nil && finished.Sub(*started) >= longRun
}
