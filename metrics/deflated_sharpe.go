package metrics

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// eulerMascheroni is the Euler–Mascheroni constant γ.
const eulerMascheroni = 0.57721566490153286060651209008240243

// DeflatedSharpe is the probability that the true Sharpe ratio is above the one that the
// best of the trials would show by luck alone: ProbabilisticSharpe with the threshold
// √variance·ExpectedMaximum(trials) (Bailey and López de Prado 2014, "The Deflated
// Sharpe Ratio"). trials is the number of trials, including this one. variance is the
// variance of their annual Sharpe ratios; see TrialVariance. The result never exceeds
// ProbabilisticSharpe with a threshold of 0, and equals it for one trial. It is NaN for
// fewer than one trial, for an unknown variance, and if ProbabilisticSharpe is NaN.
func DeflatedSharpe(m Moments, riskFreeBar float64, barsPerYear, trials int, variance float64) float64 {
	if trials < 1 || !(variance >= 0) {
		return nan
	}
	threshold := math.Sqrt(variance/float64(barsPerYear)) * ExpectedMaximum(trials)
	return ProbabilisticSharpe(m, riskFreeBar, threshold)
}

// ExpectedMaximum approximates the expected maximum of n independent standard normal
// values, where n is the number of trials: (1 − γ)·Φ⁻¹(1 − 1/n) + γ·Φ⁻¹(1 − 1/(n·e))
// (Bailey and López de Prado 2014, appendix). It is 0 for one value and NaN for fewer.
func ExpectedMaximum(trials int) float64 {
	switch {
	case trials < 1:
		return nan
	case trials == 1:
		return 0
	}
	n := float64(trials)
	return -float64((1-eulerMascheroni)*mathext.NormalQuantile(1/n)) - float64(eulerMascheroni*mathext.NormalQuantile(1/(n*math.E)))
}

// TrialVariance returns the variance of the trials' annual Sharpe ratios to use:
// measured if it is above 0, else barsPerYear/(n − 1), the sampling variance of the
// Sharpe ratio of a strategy without skill over n returns (Lo 2002). It is NaN if
// nothing was measured and n is less than two.
func TrialVariance(measured float64, n, barsPerYear int) float64 {
	switch {
	case measured > 0 && !math.IsInf(measured, 1):
		return measured
	case n < 2:
		return nan
	}
	return float64(barsPerYear) / float64(n-1)
}
