package execution

import (
	"context"

	"ballast/backtest"
	"ballast/catalog/series"
	"ballast/internal/fair"
	"ballast/program"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// computation is what a run has in memory: its bars, and what its script computed
// from them. It holds the account's turn until release.
type computation struct {
	members       *members
	series        []series.Pin // columns of series that it read
	frame         *timeseries.Frame
	outcome       *sandbox.Outcome
	optimizers    []pinnedRule
	continuedFrom string // the run that it continued; "" if it started from the beginning
	turn          *turn
	trials        []program.Trial // of the models that it swept
	swept         []script.Swept
	kept          []program.KeptPoint
}

func (c *computation) release() {
	c.outcome.Release()
	c.turn.leave()
}

// compute reads a run's bars and runs its script when it is the account's turn. A run
// that ended with sandbox.ErrDisplaced is computed again with long set.
func (e *Executor) compute(ctx context.Context, run *program.Run, build *program.Build, model *program.Model, checked *script.Script, inputs script.Inputs, progress *progressWriter, parts *result.Parts, long bool) (_ *computation, err error) {
	progress.set("members", 0, len(inputs.Universe()))
	c := &computation{turn: &turn{shares: e.computing, claim: fair.Claim{Account: run.AccountID, Long: long}}}
	if err := c.turn.take(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.turn.leave()
		}
	}()
	if c.members, err = e.members(ctx, run, build, model, inputs.Universe(), progress, c.turn); err != nil {
		return nil, err
	}
	if c.frame, err = timeseries.Align(c.members.sources); err != nil {
		return nil, program.DataError("The members cannot be aligned on one time axis: %v.", err)
	}
	kind := checked.Kind
	if c.series, err = e.outside(ctx, build, model.AccountID, kind, checked.Series(inputs), c.frame); err != nil {
		return nil, err
	}
	if checked.ReadsHoldings() {
		if err := e.holdings(ctx, c.members.pinned, c.frame, checked.ReadsLedger()); err != nil {
			return nil, err
		}
	}
	definitions, err := e.rules(ctx, c, run.AccountID, checked.Optimizers, inputs.Universe())
	if err != nil {
		return nil, err
	}
	progress.set(stageOf(kind, sandbox.Running), 0, len(c.frame.Axis))
	var earlier *backtest.Result
	var earlierID string
	if len(checked.Optimizers) == 0 { // otherwise what a run says of its optimizers would be of its last part only
		earlier, earlierID = e.continuation(ctx, run, build, model, c.frame)
	}
	job := sandbox.Job{
		Account: run.AccountID, Long: long, Kind: kind.Name,
		Source: build.Script, Inputs: inputs.Map(), Frame: c.frame, Limits: e.limits, Causality: kind.Trades && build.Causality == nil, Earlier: earlier, Optimizers: definitions,
		Progress: func(stage sandbox.Stage, done, total int) { progress.set(stageOf(kind, stage), done, total) },
	}
	outcome, continued, err := e.sandboxed(ctx, run.ID, job)
	if err == nil && outcome.Wants != nil {
		outcome, err = e.withSweeps(ctx, run, c, job, outcome, progress, parts)
	}
	if err != nil {
		return nil, err
	}
	if c.outcome = outcome; continued {
		c.continuedFrom = earlierID
	}
	return c, nil
}

// stageOf returns the name of a stage of a run's progress. Only models have backtests.
func stageOf(kind *script.Kind, stage sandbox.Stage) string {
	if !kind.Trades {
		return "compute"
	}
	return string(stage)
}

// turn is a run's place among the runs that have bars in memory. The run gives it up
// while it waits for bars that have to be loaded first.
type turn struct {
	shares *fair.Shares
	claim  fair.Claim
	place  *fair.Place
}

func (t *turn) take(ctx context.Context) (err error) {
	t.place, err = t.shares.Take(ctx, t.claim)
	return err
}

// leave may be called more than once.
func (t *turn) leave() {
	if t.place != nil {
		t.place.Give()
	}
}
