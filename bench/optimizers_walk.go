package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"ballast/analyze"
	"ballast/optimize"
	"ballast/script"
)

// Sizes of the rows of walk-forwards, frontiers and overfitting.
const (
	walkedMembers    = 20
	walkedSessions   = 8312
	frontierPoints   = 50
	overfittedTrials = 1000
)

// leastVarianceScript trains on the latest year, and holds the weights for a month.
const leastVarianceScript = `from harness import min_variance

NAME = "Least variance"
SCHEDULE = "monthly"
INPUTS = {"universe": {"type": "array", "default": [%s]}}


def decide(ctx):
    if ctx.sessions(ctx.universe[0]) <= 252:
        return None
    return min_variance(ctx.panel(ctx.inputs.universe, 252))
`

// walkedVariance measures a walk-forward of least variance as a model: about 380 times, the
// weights of the latest 252 sessions are held for a month.
func walkedVariance(e *Env) Row {
	return Row{
		Name: "walk-forward of least variance, a year and a month, 20 members, 8,312 sessions", Key: "WalkVariance",
		Bar: "≤ 50 ms", Limits: []Limit{{Figure: "p50", Most: 50}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(walkedMembers, walkedSessions)
			if err != nil {
				return Result{}, err
			}
			symbols := ""
			for _, m := range f.Members {
				symbols += fmt.Sprintf("%q, ", m.Key)
			}
			p, problems := script.Check(fmt.Sprintf(leastVarianceScript, symbols), nil)
			if len(problems) > 0 {
				return Result{}, errors.New(problems[0].String())
			}
			took, err := repeat(ctx, e.count(40, 2), func() error { return runScript(ctx, p, nil, f) })
			if err != nil {
				return Result{}, err
			}
			columns := make([]analyze.Column, len(f.Members))
			for i, m := range f.Members {
				columns[i] = analyze.Column{Name: m.Key, Values: m.Returns[1:]}
			}
			// skfolio trains on 252 sessions and tests on 21, which is as often.
			return besideOptimizers(ctx, e, "walk", took, 0, columns, nil)
		},
	}
}

// efficientFrontier measures the critical line and fifty portfolios on it.
func efficientFrontier(e *Env) Row {
	return Row{
		Name: "frontier of 50 portfolios, 20 members", Key: "OptimizeFrontier",
		Bar: "≤ 2 ms", Limits: []Limit{{Figure: "p50", Most: 2}},
		Measure: func(ctx context.Context) (Result, error) {
			columns := stocks(walkedMembers)
			p, err := longOnly(columns, 1)
			if err != nil {
				return Result{}, err
			}
			gain := make([]float64, len(columns))
			for i, c := range columns {
				for _, v := range c.Values {
					gain[i] += v / float64(len(c.Values))
				}
			}
			var points []optimize.Corner
			took, err := repeat(ctx, e.count(200, 5), func() error {
				f, err := optimize.NewFrontier(p, gain)
				if err == nil {
					points = f.ByGain(frontierPoints)
				}
				return err
			})
			if err != nil {
				return Result{}, err
			}
			risks := make([]float64, len(points))
			for i, c := range points {
				risks[i] = c.Risk
			}
			return besideOptimizers(ctx, e, "frontier", took, 0, columns, risks)
		},
	}
}

// overfitting measures the probability of overfitting of a thousand trials without skill.
func overfitting(e *Env) Row {
	return Row{
		Name: "probability of overfitting, 1,000 trials, 12,870 splits", Key: "Overfit",
		Bar: "≤ 0.3 s", Limits: []Limit{{Figure: "p50", Most: 300}},
		Measure: func(ctx context.Context) (Result, error) {
			r := rand.New(rand.NewPCG(5, 1))
			returns := make([][]float64, e.count(overfittedTrials, 50))
			for i := range returns {
				returns[i] = make([]float64, 2520)
				for t := range returns[i] {
					returns[i][t] = 0.01 * r.NormFloat64()
				}
			}
			var probability float64
			took, err := repeat(ctx, e.count(10, 2), func() error {
				probability = analyze.OverfitProbability(returns)
				return nil
			})
			result := proven(took, 0)
			result.Note += fmt.Sprintf("; without skill, the probability is %.2f", probability)
			return result, err
		},
	}
}
