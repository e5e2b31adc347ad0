package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// smallQuery measures a small SQL statement over HTTP, in a process of its own.
func smallQuery(e *Env) Row {
	return Row{
		Name: "POST query, a small statement", Key: "SmallQuery",
		Bar: "p50 ≤ 40 ms, process start included", Limits: []Limit{{Figure: "p50", Most: 40}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			var answer struct{ Rows [][]any }
			took, err := repeat(ctx, e.count(200, 10), func() error {
				return s.client.read(ctx, http.MethodPost, "/v1/query", map[string]string{"sql": "SELECT symbol, last_date FROM models ORDER BY symbol LIMIT 5"}, &answer)
			})
			if err != nil {
				return Result{}, err
			}
			if len(answer.Rows) == 0 {
				return Result{}, errors.New("the statement returned no models")
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    fmt.Sprintf("one client, %d times; each statement runs in a process of its own, of which one is started ahead", len(took)),
			}, nil
		},
	}
}

// sortedModels measures the list of models by a metric.
func sortedModels(e *Env) Row {
	return Row{
		Name: "GET models, the 50 best by Sharpe ratio", Key: "SortedModels",
		Bar: "p99 ≤ 20 ms", Limits: []Limit{{Figure: "p99", Most: 20}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			var list struct{ Total int }
			took, err := repeat(ctx, e.count(1000, 20), func() error {
				return s.client.read(ctx, http.MethodGet, "/v1/models?sort=-sharpe&limit=50&include=figures", nil, &list)
			})
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    fmt.Sprintf("one client, %d times, among %d models; BenchmarkModelsByFigure has 10,000", len(took), list.Total),
			}, nil
		},
	}
}
