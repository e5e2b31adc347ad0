package bench

import (
	"context"
	"errors"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/backtest"
	"ballast/script"
	"ballast/script/sandbox"
)

// dailyScript has enough work every day that continuing an earlier run is worthwhile.
const dailyScript = `from harness import volatility

NAME = "Daily"
SCHEDULE = "daily"
INPUTS = {"universe": {"type": "array", "default": ["A000", "A001", "A002", "A003", "A004", "A005", "A006", "A007", "A008", "A009"]}}


def decide(ctx):
    scores = {s: volatility(ctx.returns(s, 120)) for s in ctx.universe if ctx.sessions(s) > 120}
    return {s: 0.5 / len(scores) for s in scores}
`

// refresh runs a script over bars with one more session, in turn from the beginning and
// continuing the previous run. Both results must be the same.
func refresh(e *Env) Row {
	return Row{
		Name: "one more session, gone on with", Key: "Refresh",
		Bar: "≤ 0.5 × from the beginning", Limits: []Limit{{Figure: "ratio", Most: 0.5}},
		Measure: func(ctx context.Context) (_ Result, err error) {
			pool, err := e.warmPool(ctx)
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, pool.Close()) }()
			f, err := panel(10, 5041)
			if err != nil {
				return Result{}, err
			}
			p, problems := script.Check(dailyScript, nil)
			if len(problems) > 0 {
				return Result{}, errors.New(problems[0].String())
			}
			inputs, _ := p.Bind(nil)
			job := sandbox.Job{Source: dailyScript, Inputs: inputs.Map(), Frame: f.Cut(f.Axis[5039])}
			before, err := pool.Run(ctx, job)
			if err != nil {
				return Result{}, err
			}
			defer before.Release()
			keys := make([]string, len(f.Members))
			for i := range keys {
				keys[i] = f.Members[i].Key
			}
			job.Frame = f
			var whole, continued samples
			for range e.count(20, 2) {
				one, err := repeat(ctx, 1, func() error { return rerun(ctx, pool, job, nil) })
				if err != nil {
					return Result{}, err
				}
				whole = append(whole, one...)
				one, err = repeat(ctx, 1, func() error {
					earlier, err := backtest.ResultOf(before.Daily(), before.Ledger(), keys)
					if err != nil {
						return err
					}
					return rerun(ctx, pool, job, earlier)
				})
				if err != nil {
					return Result{}, err
				}
				continued = append(continued, one...)
			}
			if err := sameRuns(ctx, pool, job, before, keys); err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					{Name: "ratio", Value: float64(continued.median()) / float64(whole.median()), Unit: "×"},
					milliseconds("continued", continued.median()), milliseconds("from the beginning", whole.median()),
				},
				Note: "daily decisions of ten members over 20 years, in a warm sandbox, with the earlier result read and the whole one joined",
			}, nil
		},
	}
}

// rerun runs a job from the beginning, or continues an earlier result.
func rerun(ctx context.Context, pool *sandbox.Pool, job sandbox.Job, earlier *backtest.Result) error {
	job.Earlier = earlier
	o, err := pool.Run(ctx, job)
	if err != nil {
		return err
	}
	o.Release()
	return nil
}

// sameRuns compares the result of a continued run with that of a whole one.
func sameRuns(ctx context.Context, pool *sandbox.Pool, job sandbox.Job, before *sandbox.Outcome, keys []string) error {
	whole, err := pool.Run(ctx, job)
	if err != nil {
		return err
	}
	defer whole.Release()
	if job.Earlier, err = backtest.ResultOf(before.Daily(), before.Ledger(), keys); err != nil {
		return err
	}
	continued, err := pool.Run(ctx, job)
	if err != nil {
		return err
	}
	defer continued.Release()
	if !array.RecordEqual(whole.Daily(), continued.Daily()) || !array.RecordEqual(whole.Ledger(), continued.Ledger()) ||
		!whole.Daily().Schema().Equal(continued.Daily().Schema()) {
		return errors.New("the run that went on gives another result than the whole one")
	}
	return nil
}
