package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// Sandbox runs scripts apart from this process.
type Sandbox interface {
	// Run executes one script over a frame. A script that fails or breaks a limit
	// gives a *script.RunError; any other error is the service's own. The caller
	// releases the outcome's tables.
	Run(ctx context.Context, job sandbox.Job) (*sandbox.Outcome, error)
}

// ErrMembersPending says that a run waits for the first result of a member model.
var ErrMembersPending = errors.New("a member model has no result yet")

// Executor carries out runs: members, bars, sandbox, objects, publication.
type Executor struct {
	store   Store
	assets  Assets
	bars    Bars
	results *Results
	sandbox Sandbox
	limits  sandbox.Limits
	log     *slog.Logger
	now     func() time.Time
}

// ExecutorConfig is what an Executor is made of.
type ExecutorConfig struct {
	Store   Store
	Assets  Assets
	Bars    Bars
	Results *Results
	Sandbox Sandbox
	Limits  sandbox.Limits
	Logger  *slog.Logger
	Now     func() time.Time // time.Now where nil
}

// NewExecutor makes an Executor.
func NewExecutor(c ExecutorConfig) *Executor {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Executor{store: c.Store, assets: c.Assets, bars: c.Bars, results: c.Results, sandbox: c.Sandbox, limits: c.Limits, log: c.Logger, now: c.Now}
}

// Execute carries out one run to its end. It may be called again for the same
// run, after a crash or beside another worker: publication happens once.
// ErrMembersPending asks to be called again later; any other error is the
// service's own, and the run may be tried again.
func (e *Executor) Execute(ctx context.Context, runID string) error {
	run, build, model, err := e.store.StartRun(ctx, runID)
	if err != nil {
		return fmt.Errorf("start run %s: %w", runID, err)
	}
	if run == nil {
		return nil
	}
	log := e.log.With("run_id", run.ID, "model_id", model.ID)
	progress := startProgress(ctx, e.store, log, run.ID)
	defer progress.stop()

	publication, err := e.perform(ctx, run, build, model, progress)
	if err == nil {
		progress.set("publish", 0, 1)
		if err := e.store.Publish(ctx, publication); err != nil {
			return fmt.Errorf("publish run %s: %w", run.ID, err)
		}
		log.InfoContext(ctx, "run complete", "source", run.Source, "sandbox_seconds", publication.Usage.Seconds)
		return nil
	}
	var failed *runFailure
	if !errors.As(err, &failed) {
		return err
	}
	log.InfoContext(ctx, "run failed", "type", failed.failure.Type, "message", failed.failure.Message)
	return e.store.FailRun(ctx, run.ID, failed.failure, failed.usage)
}

// Abandon ends a run that the service could not carry out.
func (e *Executor) Abandon(ctx context.Context, runID string, cause error) error {
	e.log.ErrorContext(ctx, "run abandoned", "run_id", runID, "error", cause)
	return e.store.FailRun(ctx, runID, Failure{Type: "internal", Message: "The service could not carry out the run. Run it again; tell the operator the run's id if it fails again."}, Usage{})
}

// runFailure is the end of a run by its own fault.
type runFailure struct {
	failure Failure
	usage   Usage
}

func (f *runFailure) Error() string { return f.failure.Type + ": " + f.failure.Message }

func dataError(format string, args ...any) error {
	return &runFailure{failure: Failure{Type: "data_error", Message: fmt.Sprintf(format, args...)}}
}

// perform does everything before the publication.
func (e *Executor) perform(ctx context.Context, run *Run, build *Build, model *Model, progress *progressWriter) (*Publication, error) {
	checked, problems := script.Check(build.Script, nil)
	if len(problems) > 0 {
		return nil, fmt.Errorf("stored script of build %s no longer passes its checks: %v", build.ID, problems[0])
	}
	values := map[string]any{}
	if err := json.Unmarshal(run.Inputs, &values); err != nil {
		return nil, fmt.Errorf("decode inputs of run %s: %w", run.ID, err)
	}
	inputs, details := checked.Bind(values)
	if len(details) > 0 {
		return nil, fmt.Errorf("stored inputs of run %s no longer fit: %s: %s", run.ID, details[0].Location, details[0].Message)
	}

	progress.set("members", 0, len(inputs.Universe()))
	members, err := e.members(ctx, model, inputs.Universe(), progress)
	if err != nil {
		return nil, err
	}
	frame, err := timeseries.Align(members.sources)
	if err != nil {
		return nil, dataError("The members cannot be put on one time axis: %v.", err)
	}

	progress.set("backtest", 0, len(frame.Axis))
	outcome, err := e.sandbox.Run(ctx, sandbox.Job{Source: build.Script, Inputs: inputs.Map(), Frame: frame, Limits: e.limits})
	if err != nil {
		return nil, scriptFailure(err)
	}
	defer outcome.Daily.Release()
	defer outcome.Ledger.Release()

	var hash string
	var objects Objects
	g, writing := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		hash, err = resultHash(outcome.Daily, outcome.Ledger)
		return err
	})
	g.Go(func() (err error) {
		objects, err = e.results.Write(writing, run.ID, outcome.Daily, outcome.Ledger)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("keep result of run %s: %w", run.ID, err)
	}
	publication := &Publication{
		RunID: run.ID, DataVersion: dataVersion(members.read), Members: members.pinned, Depth: members.depth,
		Usage: usage(outcome.CPU), ResultHash: hash, Result: objects,
		Base: outcome.Summary.Base, First: outcome.Summary.StartDate, Last: outcome.Summary.EndDate, FinishedAt: e.now(),
	}
	publication.Summary = summarize(checked, inputs, members, frame, outcome, model)
	return publication, nil
}

// usage meters one run: a base unit and a unit a sandbox second, rounded up.
func usage(cpu time.Duration) Usage {
	seconds := int(math.Ceil(cpu.Seconds()))
	return Usage{Units: 1 + seconds, Base: 1, Seconds: seconds}
}

// scriptFailure turns the script's own errors into the end of the run and
// leaves others as they are.
func scriptFailure(err error) error {
	var failed *script.RunError
	if !errors.As(err, &failed) {
		return err
	}
	f := Failure{Type: string(failed.Type), Message: failed.Message}
	if failed.Line > 0 {
		f.Line = &failed.Line
	}
	if failed.Date != "" {
		f.Date = &failed.Date
	}
	if failed.Traceback != "" {
		f.Traceback = &failed.Traceback
	}
	return &runFailure{failure: f, usage: usage(failed.CPU)}
}
