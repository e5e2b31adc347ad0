package bench

import (
	"context"
	"errors"
	"time"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// fixedScript decides on constant weights every day, so that the script itself does
// almost no work.
const fixedScript = `from harness import equal_weight

NAME = "Fixed"
SCHEDULE = "daily"
INPUTS = {"universe": {"type": "array", "default": ["A000", "A001", "A002", "A003", "A004", "A005", "A006", "A007", "A008", "A009"]}}
WEIGHTS = equal_weight(INPUTS["universe"]["default"])


def decide(ctx):
    return WEIGHTS
`

// decision makes the same daily decisions in a script and in Go. The overhead is the
// time that the script takes longer.
func decision(e *Env) Row {
	return Row{
		Name: "script overhead a decision", Key: "Decision",
		Bar: "≤ 20 µs", Limits: []Limit{{Figure: "overhead", Most: 20}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(10, 5000)
			if err != nil {
				return Result{}, err
			}
			p, problems := script.Check(fixedScript, nil)
			if len(problems) > 0 {
				return Result{}, errors.New(problems[0].String())
			}
			n := e.count(30, 5)
			scripted, err := repeat(ctx, n, func() error { return runScript(ctx, p, nil, f) })
			if err != nil {
				return Result{}, err
			}
			plain, err := repeat(ctx, n, func() error {
				_, err := backtest.Run(ctx, f, scheduled("daily"), equalWeights(len(f.Members)), backtest.Options{})
				return err
			})
			if err != nil {
				return Result{}, err
			}
			perDecision := float64(scripted.median()-plain.median()) / float64(len(f.Axis)) / float64(time.Microsecond)
			return Result{
				Figures: []Figure{
					{Name: "overhead", Value: perDecision, Unit: "µs"},
					milliseconds("scripted run", scripted.median()), milliseconds("plain run", plain.median()),
				},
				Note: "5,000 daily decisions on constant weights of 10 members",
			}, nil
		},
	}
}

// runScript backtests a script in this process, without a sandbox around it.
func runScript(ctx context.Context, p *script.Script, values map[string]any, f *timeseries.Frame) error {
	inputs, details := p.Bind(values)
	if len(details) > 0 {
		return errors.New(details[0].Message)
	}
	runner, err := script.NewRunner(p, inputs, f, script.RunnerLimits{})
	if err != nil {
		return err
	}
	_, err = backtest.Run(ctx, f, p.Spec(inputs), runner, backtest.Options{})
	return err
}
