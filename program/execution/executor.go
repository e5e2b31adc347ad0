package execution

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/errgroup"

	"ballast/backtest"
	"ballast/billing"
	"ballast/catalog/series"
	"ballast/internal/fair"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/backfills"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// Sandbox runs scripts outside of this process.
type Sandbox interface {
	// Run executes one script over a frame. If the script fails or exceeds a limit,
	// the error is a *script.RunError; any other error is the service's own. The
	// caller releases the outcome's tables.
	Run(ctx context.Context, job sandbox.Job) (*sandbox.Outcome, error)
}

// Executor carries out runs: members, bars, sandbox, objects, publication.
type Executor struct {
	kinds       script.Kinds
	store       Store
	programs    Programs
	universes   Members
	backfilled  Backfills
	series      series.Finder
	seriesReads SeriesReads
	optimizers  Optimizers
	assets      program.Assets
	bars        backfills.Bars
	loads       Loads
	results     *result.Store
	splicer     *backfills.Splicer
	sandbox     Sandbox
	snapshots   Snapshots
	author      *program.Author
	nextRefresh func(time.Time) time.Time
	limits      sandbox.Limits
	prices      billing.Prices
	log         *slog.Logger
	now         func() time.Time
	short       *expirable.LRU[string, struct{}] // short runs, which are computed again rather than continued, by id
	computing   *fair.Shares                     // turns of the runs whose bars are in memory
}

// ExecutorConfig holds what NewExecutor needs.
type ExecutorConfig struct {
	Kinds       script.Kinds // kinds of the programs whose runs it carries out; nil: models
	Store       Store
	Programs    Programs
	Members     Members
	Backfills   Backfills
	Series      series.Reader
	SeriesReads SeriesReads
	Optimizers  Optimizers
	Author      *program.Author // writes scripts for prompts that the grammar does not understand
	Assets      program.Assets
	Bars        backfills.Bars
	Loads       Loads // loads the bars of assets without any; nil if no provider is configured
	Results     *result.Store
	Sandbox     Sandbox
	Snapshots   Snapshots                 // keeps points of sweeps
	NextRefresh func(time.Time) time.Time // when failed refreshes are tried again; nil: never
	Limits      sandbox.Limits
	// Computing limits the runs that have bars in memory, whether they wait for a
	// sandbox or compute in one. The zero value sets no limit.
	Computing fair.Size
	Prices    billing.Prices // for the units of tokens
	Logger    *slog.Logger
	Now       func() time.Time // nil: time.Now
}

// NewExecutor creates an Executor.
func NewExecutor(c ExecutorConfig) *Executor {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Computing.Places <= 0 {
		c.Computing.Places = math.MaxInt32
	}
	if c.Kinds == nil {
		c.Kinds = script.Kinds{script.Model}
	}
	return &Executor{
		kinds:     c.Kinds,
		computing: fair.New(c.Computing),

		store: c.Store, programs: c.Programs, universes: c.Members, backfilled: c.Backfills, optimizers: c.Optimizers, assets: c.Assets, bars: c.Bars, loads: c.Loads, results: c.Results, sandbox: c.Sandbox, snapshots: c.Snapshots,
		splicer: backfills.NewSplicer(c.Backfills, c.Bars, c.Results),
		series:  series.Finder{Reader: c.Series}, seriesReads: c.SeriesReads,
		author: c.Author, nextRefresh: c.NextRefresh, limits: c.Limits, prices: c.Prices, log: c.Logger, now: c.Now,
		short: expirable.NewLRU[string, struct{}](shortRuns, nil, 0),
	}
}

// Execute carries out one run to its end. It may be called again for the same run,
// after a crash or at the same time as another worker: the result is published once.
// After program.ErrMembersPending or program.ErrAccountBusy, call it again later. Any
// other error is the service's own, and the run may be tried again.
func (e *Executor) Execute(ctx context.Context, runID string) error {
	run, build, model, err := e.store.StartRun(ctx, runID)
	if fault.TypeOf(err) == fault.InsufficientFunds {
		return e.unfunded(ctx, runID, err)
	}
	if err != nil {
		return fmt.Errorf("start run %s: %w", runID, err)
	}
	if run == nil {
		return nil
	}
	log := e.log.With("run_id", run.ID, "model_id", model.ID)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	progress := startProgress(ctx, e.store, log, run.ID, stop)
	defer progress.stop()

	parts := e.results.Parts(run.ID)
	publication, err := e.perform(ctx, run, build, model, progress, parts)
	if err == nil {
		progress.set("publish", 0, 1)
		err := e.store.Publish(ctx, publication)
		if errors.Is(err, program.ErrCycle) {
			return e.fail(ctx, run.ID, program.Ending{Failure: program.CycleFailure, Usage: publication.Usage, Causality: publication.Causality})
		}
		if err != nil {
			e.yield(ctx, run.ID)
			return fmt.Errorf("publish run %s: %w", run.ID, err)
		}
		if !long(publication.Summary, run.StartedAt, &publication.FinishedAt) {
			e.short.Add(run.ID, struct{}{})
		}
		e.drop(ctx, log, parts)
		log.InfoContext(ctx, "run complete", "source", run.Source, "sandbox_seconds", publication.Usage.Seconds)
		return nil
	}
	if errors.Is(context.Cause(ctx), errUnwanted) {
		log.InfoContext(ctx, "run deleted while it was in progress")
		e.drop(ctx, log, parts)
		return nil
	}
	var failed *program.RunFailure
	if !errors.As(err, &failed) {
		e.yield(ctx, run.ID)
		return err
	}
	log.InfoContext(ctx, "run failed", "type", failed.Failure.Type, "message", failed.Failure.Message)
	if err := e.fail(ctx, run.ID, program.Ending{Failure: failed.Failure, Usage: failed.Usage, Causality: failed.Causality}); err != nil {
		return err
	}
	e.drop(ctx, log, parts)
	return nil
}

// drop deletes what an ended run has stored for another try. The sweep of orphans deletes
// what remains.
func (e *Executor) drop(ctx context.Context, log *slog.Logger, parts *result.Parts) {
	if err := parts.Delete(context.WithoutCancel(ctx)); err != nil {
		log.WarnContext(ctx, "parts of a run not deleted", "error", err)
	}
}

// Abandon ends a run that the service could not carry out.
func (e *Executor) Abandon(ctx context.Context, runID string, cause error) error {
	e.log.ErrorContext(ctx, "run abandoned", "run_id", runID, "error", cause)
	return e.fail(ctx, runID, program.Ending{Failure: program.Failure{
		Type: program.FailureInternal, Message: "The service could not carry out the run. Run it again; tell the operator the run's id if it fails again.",
	}})
}

// yield lets other runs of the account start while this run waits for its next try.
// If that cannot be recorded, they wait until it has ended.
func (e *Executor) yield(ctx context.Context, runID string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), yieldPatience)
	defer cancel()
	if err := e.store.YieldRun(ctx, runID); err != nil {
		e.log.WarnContext(ctx, "run not set waiting", "run_id", runID, "error", err)
	}
}

// yieldPatience limits the time for recording it, even while the service is stopping.
const yieldPatience = 2 * time.Second

// unfunded ends a run that its account cannot pay for.
func (e *Executor) unfunded(ctx context.Context, runID string, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	e.log.InfoContext(ctx, "run not paid for", "run_id", runID)
	return e.fail(ctx, runID, program.Ending{Failure: program.Failure{Type: program.FailureUnfunded, Message: f.Message}})
}

// fail ends a run. A refresh that fails is tried again with the next one.
func (e *Executor) fail(ctx context.Context, runID string, ending program.Ending) error {
	if e.nextRefresh != nil {
		next := e.nextRefresh(e.now())
		ending.NextRetry = &next
	}
	return e.store.FailRun(ctx, runID, ending)
}

// perform does everything except the publication.
func (e *Executor) perform(ctx context.Context, run *program.Run, build *program.Build, model *program.Model, progress *progressWriter, parts *result.Parts) (*program.Publication, error) {
	if build.Script == "" {
		if err := e.author.Write(ctx, run, build, model, progress.set); err != nil {
			return nil, err
		}
	}
	checked, err := program.CheckedScript(e.kinds, build)
	if err != nil {
		return nil, err
	}
	inputs, err := program.BoundInputs(checked, run)
	if err != nil {
		return nil, err
	}

	c, err := e.compute(ctx, run, build, model, checked, inputs, progress, parts, false)
	if errors.Is(err, sandbox.ErrDisplaced) {
		e.log.InfoContext(ctx, "run makes room for another account's and begins again", "run_id", run.ID)
		c, err = e.compute(ctx, run, build, model, checked, inputs, progress, parts, true)
	}
	if err != nil {
		return nil, e.scriptFailure(err, build)
	}
	defer c.release()
	if err := e.causal(c.outcome, build); err != nil {
		return nil, err
	}
	if err := e.keep(ctx, run, c); err != nil {
		return nil, err
	}
	publication, err := e.stored(ctx, run, build, c, progress)
	if err != nil {
		return nil, err
	}
	if run.Source.Builds() {
		if publication.Identity, err = e.identity(ctx, build, model, checked); err != nil {
			return nil, err
		}
	}
	if checked.Kind == script.Model {
		err = modelPublication(publication, checked, inputs, c, build, model.With(publication.Identity))
	} else {
		answerPublication(publication, inputs, c)
	}
	return publication, err
}

// stored hashes and stores the tables of a result, and returns what a run of any kind
// publishes.
func (e *Executor) stored(ctx context.Context, run *program.Run, build *program.Build, c *computation, progress *progressWriter) (*program.Publication, error) {
	progress.set("store", 0, 1)
	var hash string
	var tables program.Tables
	g, writing := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		hash, err = result.Hash(c.outcome.Records()...)
		return err
	})
	g.Go(func() (err error) {
		tables, err = e.results.Write(writing, run.ID, c.outcome.Tables...)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("keep result of run %s: %w", run.ID, err)
	}
	return &program.Publication{
		RunID: run.ID, HarnessVersion: script.HarnessVersion, DataVersion: program.DataVersion(c.members.read),
		Members: c.members.pinned, Series: series.Reads(c.series), Depth: c.members.depth, Usage: program.Metered(e.prices, c.outcome.CPU, build.Tokens()),
		ResultHash: hash, Tables: tables, FinishedAt: e.now(),
		Trials: c.trials,
		Base:   timeseries.NoDate, First: c.frame.Axis[0], Last: c.frame.Axis[len(c.frame.Axis)-1],
	}, nil
}

// causal fails a build whose result depends on the future.
func (e *Executor) causal(outcome *sandbox.Outcome, build *program.Build) error {
	verdict := outcome.Causality
	if verdict == nil || verdict.Causal {
		return nil
	}
	f := program.Failure{Type: string(script.ScriptError), Message: "The result depends on bars that follow a decision, so it is not a backtest."}
	if d := verdict.Difference; d != nil {
		day := d.Date.String()
		f.Date = &day
		what := d.Column
		if d.Column == backtest.ColumnView {
			what = "what the script sees"
		}
		if d.Symbol != "" {
			what += " of " + d.Symbol
		}
		f.Message = fmt.Sprintf("The result depends on bars that follow a decision: with only the bars up to %s, %s on %s is %v instead of %v.", d.Cut, what, day, d.Past, d.Whole)
	}
	return &program.RunFailure{Failure: f, Usage: program.Metered(e.prices, outcome.CPU, build.Tokens()), Causality: verdict}
}

// scriptFailure converts an error of the script to the failure of the run. Other
// errors are returned as they are.
func (e *Executor) scriptFailure(err error, build *program.Build) error {
	var failed *script.RunError
	if !errors.As(err, &failed) || failed.Type == script.InternalError {
		return err // the script did not cause the sandbox to die: the run is tried again
	}
	f := program.Failure{Type: string(failed.Type), Message: failed.Message}
	if failed.Line > 0 {
		f.Line = &failed.Line
	}
	if failed.Date != "" {
		f.Date = &failed.Date
	}
	if failed.Traceback != "" {
		f.Traceback = &failed.Traceback
	}
	return &program.RunFailure{Failure: f, Usage: program.Metered(e.prices, failed.CPU, build.Tokens())}
}
