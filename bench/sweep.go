package bench

import (
	"context"
	"fmt"
)

// sweepScript varies three inputs of the model BENCH. It has 1,000 points, 10 in a smoke
// run.
func sweepScript(lookbacks int) string {
	return fmt.Sprintf(`from harness import sweep

NAME = "Benchmark of sweeps"
SYMBOL = "SWEPT"
INPUTS = {"universe": {"type": "array", "default": ["BENCH"]}}


def analyze(ctx):
    return sweep(ctx, "BENCH", {
        "lookback": {"from": 63, "to": %d, "step": 7},
        "hold": [1, 2, 3, 4, 5],
        "floor": [-0.1, 0],
    })
`, 63+7*(lookbacks-1))
}

// swept measures a sweep over HTTP, from the request to the published result: its points,
// the probability of overfitting and the tables.
func swept(e *Env) Row {
	return Row{
		Name: "sweep of 1,000 runs of momentum, 10 assets, 20 years", Key: "Sweep",
		Bar: "≤ 3 s", Limits: []Limit{{Figure: "p50", Most: 3000}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			lookbacks := e.count(100, 1)
			if _, err := s.client.build(ctx, "analyses", sweepScript(lookbacks)); err != nil {
				return Result{}, err
			}
			// Each run computes all points again.
			took, err := repeat(ctx, e.count(5, 1), func() error {
				return s.client.run(ctx, "analyses/SWEPT", nil)
			})
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median())},
				Note:    fmt.Sprintf("over HTTP, %d points, with their figures, ranks and the probability of overfitting", 10*lookbacks),
			}, nil
		},
	}
}
