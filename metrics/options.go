package metrics

import "ballast/timeseries"

// DefaultBarsPerYear is the number of sessions per year on an exchange's calendar.
const DefaultBarsPerYear = 252

// Options are the inputs of Compute besides the returns.
type Options struct {
	// BarsPerYear is 252 for an exchange's sessions and 365 for calendar days; 0 means
	// DefaultBarsPerYear.
	BarsPerYear int
	// Trials is the number of distinct trials of the model, including this one; 0 if
	// not known.
	Trials int
	// TrialSharpeVariance is the variance (n − 1) of the trials' annual Sharpe
	// ratios, as in Block.Sharpe; 0 if not known.
	TrialSharpeVariance float64
	// RiskFree is the risk-free rate, an annual fraction, the same for the whole window.
	RiskFree float64
	// RiskFreeReturns are the risk-free returns of each bar, daily fractions, in place
	// of RiskFree; nil if the rate is the same throughout.
	RiskFreeReturns []float64
	// RiskFreeSeries names what RiskFreeReturns come from.
	RiskFreeSeries string
	// Benchmark is compared with the series over the sessions that both cover; may be
	// nil.
	Benchmark *BenchmarkSeries
	// GrossExposure is Σ|weight| without cash at the close of each date; nil if not
	// known.
	GrossExposure []float64
	// Traded is the notional traded on each date as a fraction of equity, without the
	// establishing trade; nil if not known.
	Traded []float64
}

// BenchmarkSeries is a series to compare with.
type BenchmarkSeries struct {
	Symbol string
	Series timeseries.Series
}
