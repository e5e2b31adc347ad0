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

// A run continues an earlier result only if that is less work than computing it
// again: reading twenty years of an earlier result takes 5 ms.
const (
	manySteps = 500_000                // steps of a script, which take about 20 ms
	longRun   = 500 * time.Millisecond // for any other reason
)

// shortRuns is how many short runs a worker remembers, so that it need not read them.
const shortRuns = 1 << 13

// continuation returns the state that the model's live run left, if this run has the
// same build, inputs and harness, and its frame is the same up to the live run's last
// session. Otherwise it returns nil, and the run starts from the beginning. That is
// never an error, because both ways give the same result.
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
		e.log.InfoContext(ctx, "run starts from the beginning", "run_id", run.ID, "live_run_id", model.LiveRunID, "reason", err)
	case err != nil && ctx.Err() == nil:
		e.log.WarnContext(ctx, "earlier result not used", "run_id", run.ID, "live_run_id", model.LiveRunID, "error", err)
	case err == nil && earlier != nil:
		return earlier, live.ID
	}
	return nil, ""
}

// sandboxed runs a job. If a job fails to continue an earlier result and its script
// is not at fault, it is run from the beginning.
func (e *Executor) sandboxed(ctx context.Context, runID string, job sandbox.Job) (outcome *sandbox.Outcome, continued bool, err error) {
	outcome, err = e.sandbox.Run(ctx, job)
	var failed *script.RunError
	if err == nil || job.Earlier == nil || ctx.Err() != nil || errors.Is(err, sandbox.ErrDisplaced) || errors.As(err, &failed) && failed.Type != script.InternalError {
		return outcome, job.Earlier != nil, err
	}
	e.log.ErrorContext(ctx, "run could not continue and starts from the beginning", "run_id", runID, "error", err)
	job.Earlier = nil
	outcome, err = e.sandbox.Run(ctx, job)
	return outcome, false, err
}

// continues reports whether a run is the same as the live one over newer bars, and
// takes long enough to be worth continuing.
func continues(run, live *program.Run) bool {
	return live.Status == program.RunComplete && live.BuildID == run.BuildID && live.ScriptHash == run.ScriptHash &&
		live.HarnessVersion == script.HarnessVersion &&
		bytes.Equal(live.Inputs, run.Inputs) && long(live.Summary, live.StartedAt, live.FinishedAt)
}

// long reports whether a run takes long from the beginning. A run that was continued
// does.
func long(s *program.Summary, started, finished *time.Time) bool {
	if s != nil && (s.Execution.Steps >= manySteps || s.ContinuedFrom != nil) {
		return true
	}
	return started != nil && finished != nil && finished.Sub(*started) >= longRun
}
