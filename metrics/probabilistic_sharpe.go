package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ProbabilisticSharpe is the probability that the true Sharpe ratio of returns with these
// moments is above threshold, given their number, skewness and kurtosis:
//
//	Φ((S − threshold)·√(n−1) / √(1 − skewness·S + (kurtosis − 1)/4·S²))
//
// where S is the Sharpe ratio per bar, and the kurtosis of a normal distribution is 3
// (Bailey and López de Prado 2012, "The Sharpe Ratio Efficient Frontier"). riskFreeBar
// and threshold are per bar, not annual. Skewness and kurtosis are those of m, corrected
// for bias. The result is NaN for fewer than four returns, for constant returns, and if
// a few extreme returns make the term under the root negative.
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
	return distuv.UnitNormal.CDF((sharpe - threshold) * math.Sqrt(float64(m.N-1)) / math.Sqrt(variance))
}
