package bench

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

const manyClients = 64

// historyMany measures reads by many callers who all arrive at once.
func historyMany(e *Env) Row {
	return Row{
		Name: "GET history, 64 clients at once", Key: "HistoryMany",
		Bar:    "p99 ≤ 10 × p50",
		Limits: []Limit{{Figure: "p99 / p50", Most: 10}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			before, _ := resident(s.pid()) // no figure where there is no /proc
			took, wall, err := load(ctx, manyClients, time.Duration(e.count(8000, 1000))*time.Millisecond, func(ctx context.Context) error {
				_, err := s.client.call(ctx, http.MethodGet, historyPath, nil)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			after, _ := resident(s.pid())
			p50, p99 := took.median(), took.percentile(0.99)
			return Result{
				Figures: []Figure{
					{Name: "p99 / p50", Value: float64(p99) / float64(p50), Unit: "×"},
					milliseconds("p50", p50), milliseconds("p99", p99),
					{Name: "throughput", Value: float64(len(took)) / wall.Seconds(), Unit: "requests/s"},
					{Name: "memory added", Value: float64(after["VmHWM"]-before["VmRSS"]) / 1e6, Unit: "MB"},
				},
				Note: fmt.Sprintf("returns + metrics of 20 years, %d clients that never pause, on the same machine; memory is from before to the peak", manyClients),
			}, nil
		},
	}
}
