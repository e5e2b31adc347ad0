package bench

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// cascade measures how fast models follow a member: a layer of models that hold
// one, and one that holds all of them.
func cascade(e *Env) Row {
	const width = 200
	return Row{
		Name: "cascade, models refreshed", Key: "Cascade",
		Bar: "≥ 200 models/s", Limits: []Limit{{Figure: "throughput", Least: 200}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			n := e.count(width, 10)
			if _, err := s.client.build(ctx, holderScript("Bottom", "BOTTOM", "BENCH-00")); err != nil {
				return Result{}, err
			}
			for i := range n {
				if _, err := s.client.build(ctx, holderScript(fmt.Sprintf("Middle %d", i), fmt.Sprintf("MID-%d", i), "BOTTOM")); err != nil {
					return Result{}, err
				}
			}
			took, err := repeat(ctx, e.count(3, 1), func() error {
				if err := s.client.run(ctx, "BOTTOM", map[string]any{}); err != nil {
					return err
				}
				return s.client.settled(ctx)
			})
			if err != nil {
				return Result{}, err
			}
			rate := float64(n) / took.median().Seconds()
			return Result{
				Figures: []Figure{{Name: "throughput", Value: rate, Unit: "models/s"}, milliseconds("whole", took.median())},
				Note:    fmt.Sprintf("%d models that hold one, 20 years each, with files synced and rows committed; from the member's run to the last", n),
			}, nil
		},
	}
}

func holderScript(name, symbol, member string) string {
	return fmt.Sprintf(`NAME = "%s"
SYMBOL = "%s"
SCHEDULE = "monthly"
INPUTS = {"universe": {"type": "array", "default": ["%s", "BENCH-01"]}}


def decide(ctx):
    return {"%s": 0.6, "BENCH-01": 0.4}
`, name, symbol, member, member)
}

// settled waits until no model is being updated.
func (c *client) settled(ctx context.Context) error {
	for {
		var list struct{ Total int }
		if err := c.read(ctx, http.MethodGet, "/v1/models?status=updating&limit=1", nil, &list); err != nil {
			return err
		}
		if list.Total == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * pollInterval):
		}
	}
}
