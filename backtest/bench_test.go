package backtest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// panel returns a frame of random returns without gaps, on the planned sessions from
// 1990 on.
func panel(members, sessions int) *timeseries.Frame {
	rng := rand.New(rand.NewPCG(1, 2))
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(1990, time.January, 1))
	sources := make([]timeseries.Source, members)
	for i := range sources {
		s := timeseries.Series{Base: cal.Session(first)}
		for t := 1; t < sessions; t++ {
			s.Dates = append(s.Dates, cal.Session(first+t))
			s.Returns = append(s.Returns, 0.0003+0.01*rng.NormFloat64())
		}
		sources[i] = timeseries.Source{Key: fmt.Sprintf("A%03d", i), Series: s}
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		panic(err)
	}
	return f
}

func equalWeight(_ *backtest.Session, target []float64) (bool, error) {
	weight := 1 / float64(len(target))
	for i := range target {
		target[i] = weight
	}
	return true, nil
}

// equalWeights makes the same decisions as equalWeight, but only copies a slice.
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

func monthly() backtest.Spec {
	return backtest.Spec{
		Schedule: backtest.Schedule{Every: "monthly", Session: -1}, Fill: backtest.FillClose,
		Start: backtest.StartAllMembers, StartDate: timeseries.NoDate, InitialCash: 10000,
	}
}

var sink float64

// BenchmarkRun compares a run of the engine over a panel with reading the panel once.
func BenchmarkRun(b *testing.B) {
	for _, size := range []struct{ members, sessions int }{{10, 5000}, {500, 8000}} {
		f := panel(size.members, size.sessions)
		decider := equalWeights(size.members)
		bytes := int64(size.members) * int64(size.sessions) * 8
		name := fmt.Sprintf("%dx%d", size.members, size.sessions)
		for _, kind := range []struct {
			name string
			opt  backtest.Options
		}{{"engine", backtest.Options{}}, {"everything", backtest.Everything}} {
			b.Run(name+"/"+kind.name, func(b *testing.B) {
				b.SetBytes(bytes)
				b.ReportAllocs()
				for b.Loop() {
					r, err := backtest.Run(context.Background(), f, monthly(), decider, kind.opt)
					if err != nil {
						b.Fatal(err)
					}
					sink = r.Summary.FinalValue
				}
			})
		}
		b.Run(name+"/read", func(b *testing.B) {
			b.SetBytes(bytes)
			for b.Loop() {
				read(f)
			}
		})
	}
}

// BenchmarkRatio alternates between running the engine and reading the panel, so that
// other load on the machine affects both, and reports the ratio of their times: of the
// medians, and of the fastest, which other load affects least.
func BenchmarkRatio(b *testing.B) {
	for _, size := range []struct{ members, sessions int }{{10, 5000}, {100, 8000}, {500, 8000}, {3000, 8000}} {
		b.Run(fmt.Sprintf("%dx%d", size.members, size.sessions), func(b *testing.B) {
			f := panel(size.members, size.sessions)
			decider := equalWeights(size.members)
			var engine, reading []float64
			for b.Loop() {
				began := time.Now()
				r, err := backtest.Run(context.Background(), f, monthly(), decider, backtest.Options{})
				if err != nil {
					b.Fatal(err)
				}
				engine = append(engine, float64(time.Since(began)))
				sink = r.Summary.FinalValue
				began = time.Now()
				read(f)
				reading = append(reading, float64(time.Since(began)))
			}
			slices.Sort(engine)
			slices.Sort(reading)
			b.ReportMetric(engine[len(engine)/2]/reading[len(reading)/2], "medians")
			b.ReportMetric(engine[0]/reading[0], "fastest")
			b.ReportMetric(engine[0]/1e6, "engine-ms")
			b.ReportMetric(reading[0]/1e6, "read-ms")
		})
	}
}

// read adds up all returns, in four sums so that memory is the limit and not the chain
// of additions.
func read(f *timeseries.Frame) {
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
	sink = s0 + s1 + s2 + s3
}
