// Package metrics turns a series of daily returns into the figures by which
// people judge it, one statistic a file.
//
// Compute gives the whole block as it stands on the wire:
//
//	block := metrics.Compute(series, metrics.Options{
//		BarsPerYear: 252,
//		RiskFree:    0.02,
//		Benchmark:   &metrics.BenchmarkSeries{Symbol: "SYN-WORLD", Series: world},
//		Trials:      12, // distinct runs tried until this one
//	})
//
// Comparable tells beforehand whether the benchmark shares a session with the
// series; its error wraps ErrNoCommonSessions.
//
// The statistics are functions of their own as well (TotalReturn, CAGR, Sharpe,
// Drawdowns, …), over plain vectors:
//
//	returns  daily fractions, one a session
//	equity   what 1 on the base grows to: one more value than returns, equity[0] = 1
//	Moments  mean, standard deviation, skewness and kurtosis of a vector
//
// Peers disagree on many of these figures because their conventions differ;
// the block therefore carries its own in words (Conventions), and
// docs/metrics.md gives each formula with its source.
//
// # What cannot be said
//
// A figure that the series does not define is NaN here and null on the wire,
// never 0 or infinity: a Sharpe ratio of one return, an omega ratio without a
// loss, a three-year window of two years. Ratios, dispersion and tails need two
// returns, skewness three, kurtosis and the probabilities of the Sharpe ratio four;
// compounded figures need one. A return that is NaN, and equity that grows out of
// range, take with them every figure that depends on them.
//
// # The same on every machine
//
// Sums run in order of time and each product is rounded before it is added, so
// that no fused or vectorised instruction of one architecture moves a last
// digit. That is why the moments are summed here rather than by gonum/stat,
// whose assembly adds in another order; the tests hold both together.
package metrics
