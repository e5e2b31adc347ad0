package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// longSessions are 25 years.
const longSessions = 6300

// assetHistory measures reads of an asset's whole history of 25 years, by one caller.
func assetHistory(e *Env) Row {
	return Row{
		Name: "GET asset history, 25 years", Key: "AssetHistory",
		Bar: "p50 ≤ 3 ms", Limits: []Limit{{Figure: "p50", Most: 3}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			file := filepath.Join(s.dir, "long.csv")
			if err := os.WriteFile(file, longBars(), 0o600); err != nil {
				return Result{}, err
			}
			if err := s.importBars(ctx, file); err != nil {
				return Result{}, err
			}
			var size int
			read := func(path string) func() error {
				return func() error {
					answer, err := s.client.call(ctx, http.MethodGet, path, nil)
					size = len(answer)
					return err
				}
			}
			with, err := repeat(ctx, e.count(1000, 30), read("/v1/assets/BENCH-LONG/history?include=metrics"))
			if err != nil {
				return Result{}, err
			}
			plain, err := repeat(ctx, e.count(2000, 50), read("/v1/assets/BENCH-LONG/history"))
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					milliseconds("p50", plain.median()), milliseconds("p99", plain.percentile(0.99)), milliseconds("with metrics p50", with.median()),
				},
				Note: fmt.Sprintf("%d kB of JSON", size/1000),
			}, nil
		},
	}
}

// longBars returns a file with one asset.
func longBars() []byte {
	var b strings.Builder
	b.WriteString("symbol,date,adj_close\n")
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2000, time.January, 1))
	rng, price := rand.New(rand.NewPCG(7, 99)), 100.0
	for t := range longSessions {
		fmt.Fprintf(&b, "BENCH-LONG,%s,%.6f\n", cal.Session(first+t), price)
		price *= 1.0003 + 0.01*rng.NormFloat64()
	}
	return []byte(b.String())
}
