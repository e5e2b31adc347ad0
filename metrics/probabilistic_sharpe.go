package metrics

import "math"

// ProbabilisticSharpe is the probability that the true Sharpe ratio of returns
// with these moments is above threshold, given how few they are, how skewed and
// how fat-tailed:
//
//	Φ((S − threshold)·√(n−1) / √(1 − skewness·S + (kurtosis − 1)/4·S²))
//
// with S the Sharpe ratio of one bar and kurtosis 3 for a normal distribution
// (Bailey and López de Prado 2012, "The Sharpe Ratio Efficient Frontier").
// riskFreeBar and threshold are of one bar, not annual. Skewness and kurtosis
// are the ones of m, corrected for bias. NaN under four returns, where they do
// not vary, and where a few extreme returns leave the root without a value.
func ProbabilisticSharpe(m Moments, riskFreeBar, threshold float64) float64 {
	if m.N < 4 {
		return nan
	}
	sharpe := ratio(m.Mean-riskFreeBar, m.Deviation)
	square := float64(sharpe * sharpe)
	// (kurtosis − 1)/4 in terms of the excess kurtosis, which is 3 less.
	variance := 1 - float64(m.Skewness*sharpe) + float64((m.ExcessKurtosis+2)/4*square)
	if !(variance > 0) {
		return nan
	}
	return standardNormal((sharpe - threshold) * math.Sqrt(float64(m.N-1)) / math.Sqrt(variance))
}

// standardNormal is the cumulative standard normal distribution.
func standardNormal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
