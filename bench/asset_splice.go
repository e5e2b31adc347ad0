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

// splicedSessions is the number of sessions that a proxy adds before a young fund's bars.
const splicedSessions = longSessions - 1500

// assetSplice measures reads of an asset's whole history of 25 years, most of which
// comes from a backfill.
func assetSplice(e *Env) Row {
	return Row{
		Name: "GET asset history, 25 years, 19 of them spliced", Key: "AssetSplice",
		Bar: "p50 ≤ 5 ms", Limits: []Limit{{Figure: "p50", Most: 5}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			file := filepath.Join(s.dir, "spliced.csv")
			if err := os.WriteFile(file, splicedBars(), 0o600); err != nil {
				return Result{}, err
			}
			if err := s.importBars(ctx, file); err != nil {
				return Result{}, err
			}
			if _, err := s.client.call(ctx, http.MethodPost, "/v1/backfills", map[string]any{
				"symbol": "BENCH-YOUNG", "sources": []any{map[string]any{"symbol": "BENCH-PROXY", "method": "beta", "financing_rate": 0.02}},
			}); err != nil {
				return Result{}, err
			}
			var size int
			read := func() error {
				answer, err := s.client.call(ctx, http.MethodGet, "/v1/assets/BENCH-YOUNG/history", nil)
				size = len(answer)
				return err
			}
			sample, err := repeat(ctx, e.count(2000, 50), read)
			if err != nil {
				return Result{}, err
			}
			_, err = s.client.call(ctx, http.MethodDelete, "/v1/backfills/BENCH-YOUNG", nil)
			return Result{
				Figures: []Figure{milliseconds("p50", sample.median()), milliseconds("p99", sample.percentile(0.99))},
				Note:    fmt.Sprintf("%d kB of JSON", size/1000),
			}, err
		},
	}
}

// splicedBars returns a file with a proxy, and with a fund that follows it in its last
// years.
func splicedBars() []byte {
	var b strings.Builder
	b.WriteString("symbol,date,adj_close\n")
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2000, time.January, 1))
	rng, proxy, fund := rand.New(rand.NewPCG(7, 100)), 100.0, 50.0
	for t := range longSessions {
		day := cal.Session(first + t)
		fmt.Fprintf(&b, "BENCH-PROXY,%s,%.6f\n", day, proxy)
		if t >= splicedSessions {
			fmt.Fprintf(&b, "BENCH-YOUNG,%s,%.6f\n", day, fund)
		}
		move := 0.0003 + 0.01*rng.NormFloat64()
		proxy *= 1 + move
		fund *= 1 + 2*move + 0.001*rng.NormFloat64()
	}
	return []byte(b.String())
}
