// Package metrics computes performance and risk statistics of a series of daily returns,
// one statistic per file.
//
// Compute returns all of them in their JSON form:
//
//	block := metrics.Compute(series, metrics.Options{
//		BarsPerYear: 252,
//		RiskFree:    0.02,
//		Benchmark:   &metrics.BenchmarkSeries{Symbol: "SYN-WORLD", Series: world},
//		Trials:      12, // distinct runs so far, including this one
//	})
//
// Comparable checks in advance whether the benchmark shares a session with the series;
// its error wraps ErrNoCommonSessions.
//
// Each statistic is also available as a function (TotalReturn, CAGR, Sharpe, Drawdowns,
// …) over plain vectors:
//
//	returns  daily fractions, one per session
//	equity   growth of 1 since the base: one more value than returns, equity[0] = 1
//	Moments  mean, standard deviation, skewness and kurtosis of a vector
//
// Libraries disagree on many of these statistics because their conventions differ. The
// block therefore describes its own (Conventions), and docs/metrics.md gives each
// formula with its source.
//
// # Undefined statistics
//
// A statistic that is not defined for the series is NaN in Go and null in JSON, never 0
// or infinity: the Sharpe ratio of one return, the omega ratio without a loss, a
// three-year window over two years. Compounded statistics need one return; ratios,
// dispersion and tails two; skewness three; kurtosis and the probabilistic Sharpe
// ratios four. A NaN return, or equity that overflows, makes every statistic that
// depends on it undefined.
//
// # The same results on every machine
//
// Sums run in order of time, and each product is rounded before it is added, so fused
// or vectorised instructions cannot change the last digit on some architectures.
// docs/decisions/plain-kernels.md compares the moments and percentiles with gonum's.
package metrics
