package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	historyPath    = "/v1/models/BENCH/history?include=returns,metrics"
	historyClients = 4
)

// history measures latency with one caller, then throughput and latency with several
// callers who never pause.
func history(e *Env) Row {
	return Row{
		Name: "GET history, 20 years, returns + metrics", Key: "History",
		Bar:    "p50 ≤ 3 ms, p99 ≤ 10 ms, ≥ 500 requests/s",
		Limits: []Limit{{Figure: "p50", Most: 3}, {Figure: "p99", Most: 10}, {Figure: "throughput", Least: 500}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			var size int
			get := func(ctx context.Context) error {
				answer, err := s.client.call(ctx, http.MethodGet, historyPath, nil)
				size = len(answer)
				return err
			}
			one, err := repeat(ctx, e.count(2000, 50), func() error { return get(ctx) })
			if err != nil {
				return Result{}, err
			}
			kilobytes := size / 1000
			loaded, wall, err := load(ctx, historyClients, time.Duration(e.count(8000, 1000))*time.Millisecond, func(ctx context.Context) error {
				_, err := s.client.call(ctx, http.MethodGet, historyPath, nil)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					milliseconds("p50", one.median()), milliseconds("p99", one.percentile(0.99)),
					{Name: "throughput", Value: float64(len(loaded)) / wall.Seconds(), Unit: "requests/s"},
					milliseconds("loaded p50", loaded.median()), milliseconds("loaded p99", loaded.percentile(0.99)),
				},
				Note: fmt.Sprintf("%d kB of JSON; latency of one client, throughput of %d on kept connections, on the same machine", kilobytes, historyClients),
			}, nil
		},
	}
}

// load lets clients call repeatedly for the time span. It returns the duration of every
// call and of the whole.
func load(ctx context.Context, clients int, span time.Duration, call func(context.Context) error) (samples, time.Duration, error) {
	var calling sync.WaitGroup
	taken, problems := make([]samples, clients), make([]error, clients)
	began := time.Now()
	for i := range clients {
		calling.Go(func() {
			for time.Since(began) < span {
				start := time.Now()
				if problems[i] = call(ctx); problems[i] != nil {
					return
				}
				taken[i] = append(taken[i], time.Since(start))
			}
		})
	}
	calling.Wait()
	wall := time.Since(began)
	return slices.Concat(taken...), wall, errors.Join(problems...)
}
