package bench

import (
	"context"

	"ballast/metrics"
	"ballast/timeseries"
)

func metricsBlock(e *Env) Row {
	return Row{
		Name: "full metrics block, 20 years", Key: "Metrics",
		Bar: "≤ 0.5 ms", Limits: []Limit{{Figure: "p50", Most: 0.5}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(2, marketSessions+1)
			if err != nil {
				return Result{}, err
			}
			series := timeseries.Series{Base: f.Axis[0], Dates: f.Axis[1:], Returns: f.Members[0].Returns[1:]}
			benchmark := timeseries.Series{Base: f.Axis[0], Dates: f.Axis[1:], Returns: f.Members[1].Returns[1:]}
			gross, traded := make([]float64, marketSessions), make([]float64, marketSessions)
			for t := range gross {
				gross[t] = 1
				if t%21 == 0 {
					traded[t] = 0.02
				}
			}
			options := metrics.Options{
				BarsPerYear: 252, RiskFree: 0.02, GrossExposure: gross, Traded: traded,
				Benchmark: &metrics.BenchmarkSeries{Symbol: "BENCHMARK", Series: benchmark},
			}
			s, err := repeat(ctx, e.count(2000, 100), func() error { metrics.Compute(series, options); return nil })
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("p50", s.median()), milliseconds("p99", s.percentile(0.99))},
				Note:    "with benchmark, exposure and turnover",
			}, nil
		},
	}
}
