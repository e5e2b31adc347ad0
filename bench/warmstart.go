package bench

import (
	"context"
	"errors"

	"ballast/script"
	"ballast/script/sandbox"
)

// oneDecision decides once, on a frame of a few rows, so that only the way into the
// sandbox and back takes time.
const oneDecision = `NAME = "One"
SCHEDULE = "yearly"
INPUTS = {"universe": {"type": "array", "default": ["A000"]}}


def decide(ctx):
    return {"A000": 1}
`

// warmStart measures a script with almost no work in a warm sandbox.
func warmStart(e *Env) Row {
	return Row{
		Name: "warm sandbox, a run of next to no work and back", Key: "WarmStart",
		Bar: "≤ 1 ms", Limits: []Limit{{Figure: "p50", Most: 1}},
		Measure: func(ctx context.Context) (_ Result, err error) {
			pool, err := e.warmPool(ctx)
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, pool.Close()) }()
			small, err := panel(1, 10)
			if err != nil {
				return Result{}, err
			}
			p, problems := script.Check(oneDecision, nil)
			if len(problems) > 0 {
				return Result{}, errors.New(problems[0].String())
			}
			inputs, _ := p.Bind(nil)
			run := func() error {
				outcome, err := pool.Run(ctx, sandbox.Job{Source: oneDecision, Inputs: inputs.Map(), Frame: small})
				if err != nil {
					return err
				}
				outcome.Release()
				return nil
			}
			if _, err := repeat(ctx, 20, run); err != nil {
				return Result{}, err
			}
			took, err := repeat(ctx, e.count(2000, 50), run)
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    "one decision over ten rows; shared memory, request, run, answer and its checks",
			}, nil
		},
	}
}
