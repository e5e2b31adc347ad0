package history

import (
	"context"

	"ballast/metrics"
)

// figureOptions returns what the statistics of a window need besides its returns:
// exposure and trades, trials, and the benchmark.
func (s *Service) figureOptions(ctx context.Context, w *window, q Query) (metrics.Options, error) {
	o := metrics.Options{
		BarsPerYear:   w.run.Summary.Alignment.BarsPerYear,
		GrossExposure: w.daily.Gross[w.from+1 : w.to], Traded: w.daily.Traded[w.from+1 : w.to],
	}
	if err := q.RiskFree.Set(&o, w.series()); err != nil {
		return o, err
	}
	ratios, err := s.c.Trials.Trials(ctx, w.run.ProgramID)
	if err != nil {
		return o, err
	}
	tried := trialsOf(ratios)
	o.Trials, o.TrialSharpeVariance = tried.count, tried.variance
	if q.Benchmark != "" {
		o.Benchmark, err = s.benchmark(ctx, w.reader.AccountID, q.Benchmark, w.series())
	}
	return o, err
}
