package bench

import (
	"context"
	"fmt"
	"net/http"
)

// previewed are descriptions of several kinds with members of the suite's catalog.
var previewed = []string{
	"60/40 BENCH-00/BENCH-01, quarterly",
	"60% BENCH-00, 30% BENCH-01, 10% BENCH-02, rebalance when any weight drifts more than 5 points",
	"equal weight BENCH-00, BENCH-01, BENCH-02 and BENCH-03, monthly",
	"top 3 of BENCH-00, BENCH-01, BENCH-02, BENCH-03, BENCH-04 and BENCH-05 by 12 month momentum, skipping the last month, monthly",
	"hold BENCH-00 when above its 200 day moving average, otherwise BENCH-01",
	"if RSI(10) of BENCH-00 is above 80 hold BENCH-01, else if BENCH-02 is above its 200 day moving average hold BENCH-00, else BENCH-03",
	"50% (BENCH-00 when above its 200 day average, otherwise BENCH-01), 50% (60/40 BENCH-02/BENCH-03)",
	"hold BENCH-00 if it is above its 200 day average and its 12 month return is positive, otherwise BENCH-01, checked weekly",
	"buy BENCH-00 when its 14 day RSI falls below 30 and sell to BENCH-01 when it rises above 70",
	"minimum variance of BENCH-00, BENCH-01, BENCH-02 and BENCH-03 over 252 days, max 40% each, monthly",
	"dual momentum with BENCH-00 and BENCH-01, BENCH-02 as the hurdle, otherwise BENCH-03",
}

// preview measures the preview of descriptions over HTTP, one after the other.
func preview(e *Env) Row {
	return Row{
		Name: "POST validate, a description in words", Key: "Preview",
		Bar: "p50 ≤ 5 ms", Limits: []Limit{{Figure: "p50", Most: 5}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			next := 0
			took, err := repeat(ctx, e.count(1000, 33), func() error {
				prompt := previewed[next%len(previewed)]
				next++
				var verdict struct {
					Valid  bool
					Errors []struct{ Message string }
				}
				if err := s.client.read(ctx, http.MethodPost, "/v1/models/validate", map[string]string{"prompt": prompt}, &verdict); err != nil {
					return err
				}
				if !verdict.Valid {
					return fmt.Errorf("%q is not understood: %v", prompt, verdict.Errors)
				}
				return nil
			})
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    fmt.Sprintf("one client, %d times, %d different descriptions", len(took), len(previewed)),
			}, nil
		},
	}
}
