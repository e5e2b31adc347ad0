package bench

import (
	"context"
	"fmt"
)

func runRow(e *Env) Row {
	return Row{
		Name: "POST runs with wait, 10 assets, 20 years, monthly", Key: "RunWait",
		Bar: "p50 ≤ 25 ms", Limits: []Limit{{Figure: "p50", Most: 25}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			n := e.count(300, 20)
			took, err := repeat(ctx, n, func() error {
				s.runs++
				return s.client.run(ctx, "models/BENCH", map[string]any{"floor": float64(s.runs) / 1e9})
			})
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    fmt.Sprintf("one client, %d snapshots, each with inputs of its own", n),
			}, nil
		},
	}
}

// buildRow measures builds of scripts, including their checks of causality.
func buildRow(e *Env) Row {
	return Row{
		Name: "build, from POST of a script to active", Key: "Build",
		Bar: "p50 ≤ 60 ms", Limits: []Limit{{Figure: "p50", Most: 60}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			var took samples
			for range e.count(60, 5) {
				s.builds++
				d, err := s.client.build(ctx, "models", momentumScript(fmt.Sprintf("Build %d", s.builds), fmt.Sprintf("BUILD-%d", s.builds)))
				if err != nil {
					return Result{}, err
				}
				took = append(took, d)
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    fmt.Sprintf("%d scripts, the fact sheet read every %s until active", len(took), pollInterval),
			}, nil
		},
	}
}
