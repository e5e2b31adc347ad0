package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"ballast/backtest"
	"ballast/timeseries"
)

// equalWeights decides on equal weights by a copy, so that the engine is measured and
// not the decisions.
func equalWeights(members int) backtest.Decider {
	weights := make([]float64, members)
	for i := range weights {
		weights[i] = 1 / float64(members)
	}
	return backtest.DeciderFunc(func(_ *backtest.Session, target []float64) (bool, error) {
		copy(target, weights)
		return true, nil
	})
}

func scheduled(every string) backtest.Spec {
	return backtest.Spec{
		Schedule: backtest.Schedule{Every: every, Session: -1}, Fill: backtest.FillClose,
		Start: backtest.StartAllMembers, StartDate: timeseries.NoDate, InitialCash: 10_000,
	}
}

// largeEngine compares the engine with the time in which one core reads the panel once.
// The two alternate, so that other work on the machine affects both.
func largeEngine(e *Env) Row {
	return Row{
		Name: "engine, 500 assets × 8,000 sessions", Key: "EngineLarge",
		Bar: "≤ 1.5 × reading the panel once", Limits: []Limit{{Figure: "ratio", Most: 1.5}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(500, 8000)
			if err != nil {
				return Result{}, err
			}
			decider := equalWeights(len(f.Members))
			var engine, read, coldEngine, coldRead samples
			other := make([]float64, 16<<20)
			for range e.count(30, 5) {
				flushCaches(other)
				began := time.Now()
				if err := runEngine(ctx, f, decider); err != nil {
					return Result{}, err
				}
				coldEngine = append(coldEngine, time.Since(began))
				flushCaches(other)
				began = time.Now()
				readPanel(f)
				coldRead = append(coldRead, time.Since(began))

				one, err := repeat(ctx, 5, func() error { return runEngine(ctx, f, decider) })
				if err != nil {
					return Result{}, err
				}
				engine = append(engine, one...)
				if one, err = repeat(ctx, 5, func() error { readPanel(f); return nil }); err != nil {
					return Result{}, err
				}
				read = append(read, one...)
			}
			return Result{
				Figures: []Figure{
					{Name: "ratio", Value: float64(engine.median()) / float64(read.median()), Unit: "×"},
					{Name: "ratio of the fastest", Value: float64(engine.percentile(0)) / float64(read.percentile(0)), Unit: "×"},
					milliseconds("engine", engine.median()), milliseconds("read", read.median()),
					milliseconds("engine from memory", coldEngine.median()), milliseconds("read from memory", coldRead.median()),
				},
				Note: fmt.Sprintf("monthly equal weight with equity and turnover, medians of %d; from memory: medians of %d, with caches filled with something else before each", len(engine), len(coldRead)),
			}, nil
		},
	}
}

func smallEngine(e *Env) Row {
	return Row{
		Name: "engine, 10 assets × 5,000 sessions", Key: "EngineSmall",
		Bar: "≤ 0.1 ms", Limits: []Limit{{Figure: "p50", Most: 0.1}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(10, 5000)
			if err != nil {
				return Result{}, err
			}
			decider := equalWeights(len(f.Members))
			s, err := repeat(ctx, e.count(5000, 200), func() error { return runEngine(ctx, f, decider) })
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("p50", s.median()), milliseconds("p99", s.percentile(0.99))},
				Note:    "monthly equal weight with equity and turnover",
			}, nil
		},
	}
}

func runEngine(ctx context.Context, f *timeseries.Frame, d backtest.Decider) error {
	_, err := backtest.Run(ctx, f, scheduled("monthly"), d, backtest.Options{})
	return err
}

// flushCaches overwrites more memory than the processor's caches hold.
func flushCaches(other []float64) {
	for i := range other {
		other[i] = 1
	}
	runtime.KeepAlive(other)
}

// readPanel adds up every return of a frame, in four independent sums, so that the time
// is that of reading memory and not of a chain of additions.
func readPanel(f *timeseries.Frame) {
	var s0, s1, s2, s3 float64
	for i := range f.Members {
		r := f.Members[i].Returns
		for ; len(r) >= 8; r = r[8:] {
			s0 += r[0] + r[4]
			s1 += r[1] + r[5]
			s2 += r[2] + r[6]
			s3 += r[3] + r[7]
		}
	}
	runtime.KeepAlive(s0 + s1 + s2 + s3)
}
