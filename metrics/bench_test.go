package metrics_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"ballast/metrics"
	"ballast/timeseries"
)

// BenchmarkCompute measures the whole block for 20 years (5,040 sessions) with a
// benchmark. The target is 0.5 ms.
func BenchmarkCompute(b *testing.B) {
	source := rand.New(rand.NewPCG(1, 2))
	s := timeseries.Series{Base: timeseries.NewDate(2004, time.January, 2)}
	day := s.Base
	for len(s.Dates) < 5040 {
		for day++; day.Weekday() == time.Saturday || day.Weekday() == time.Sunday; day++ {
		}
		s.Dates = append(s.Dates, day)
		s.Returns = append(s.Returns, 0.0003+0.01*source.NormFloat64())
	}
	other := s
	other.Returns = make([]float64, len(s.Returns))
	exposure := make([]float64, len(s.Returns))
	traded := make([]float64, len(s.Returns))
	for i := range s.Returns {
		other.Returns[i] = 0.8*s.Returns[i] + 0.004*source.NormFloat64()
		exposure[i] = 1
		if i%21 == 0 {
			traded[i] = 0.02
		}
	}
	opt := metrics.Options{
		BarsPerYear: 252, RiskFree: 0.02, GrossExposure: exposure, Traded: traded,
		Benchmark: &metrics.BenchmarkSeries{Symbol: "BENCH", Series: other},
	}
	b.ReportAllocs()
	for b.Loop() {
		metrics.Compute(s, opt)
	}
	b.ReportMetric(float64(b.N)*5040/b.Elapsed().Seconds(), "sessions/s")
}
