package metrics

import "ballast/timeseries"

// DefaultBarsPerYear is the year of an exchange's calendar, in sessions.
const DefaultBarsPerYear = 252

// Options are what Compute is told besides the returns.
type Options struct {
	// BarsPerYear is 252 on an exchange's sessions, 365 on calendar days;
	// 0 means DefaultBarsPerYear.
	BarsPerYear int
	// Trials is how many distinct trials of the model there were, the judged one
	// included; 0 where that is not known.
	Trials int
	// TrialSharpeVariance is the variance (n − 1) of the trials' annual Sharpe
	// ratios, those of Block.Sharpe; 0 where it is not known.
	TrialSharpeVariance float64
	// RiskFree is an annual fraction, the same for the whole window.
	RiskFree float64
	// Benchmark is compared over the sessions that both cover; nil without.
	Benchmark *BenchmarkSeries
	// GrossExposure holds, for each date, Σ|weight| without cash at that date's
	// own close; nil where exposure is not known.
	GrossExposure []float64
	// Traded holds, for each date, the notional traded as a fraction of equity,
	// without the trade that established the model; nil where there are no trades.
	Traded []float64
}

// BenchmarkSeries is what a series is compared with.
type BenchmarkSeries struct {
	Symbol string
	Series timeseries.Series
}
