package metrics

import "math"

// eulerMascheroni is γ, by which the mean of an extreme value stands above its mode.
const eulerMascheroni = 0.57721566490153286060651209008240243

// DeflatedSharpe is the probabilistic Sharpe ratio against the Sharpe ratio that
// the best of so many trials would show by luck alone: √variance times
// ExpectedMaximum(trials) (Bailey and López de Prado 2014, "The Deflated Sharpe
// Ratio"). trials counts what was tried, the judged one included; variance is
// that of their annual Sharpe ratios, see TrialVariance. It is never above the
// probabilistic Sharpe ratio, and equals it for one trial. NaN under one trial,
// where the variance is not known, and where ProbabilisticSharpe is.
func DeflatedSharpe(m Moments, riskFreeBar float64, barsPerYear, trials int, variance float64) float64 {
	if trials < 1 || !(variance >= 0) {
		return nan
	}
	threshold := math.Sqrt(variance/float64(barsPerYear)) * ExpectedMaximum(trials)
	return ProbabilisticSharpe(m, riskFreeBar, threshold)
}

// ExpectedMaximum is what the largest of so many independent standard normal
// values is expected to be: (1 − γ)·Φ⁻¹(1 − 1/n) + γ·Φ⁻¹(1 − 1/(n·e)) (Bailey and
// López de Prado 2014, appendix). 0 for one value, which has no luck to choose
// from; NaN for none.
func ExpectedMaximum(trials int) float64 {
	switch {
	case trials < 1:
		return nan
	case trials == 1:
		return 0
	}
	n := float64(trials)
	return float64((1-eulerMascheroni)*upperQuantile(1/n)) + float64(eulerMascheroni*upperQuantile(1/(n*math.E)))
}

// upperQuantile is the standard normal value that is exceeded with probability p.
func upperQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(1-2*p) }

// TrialVariance is the variance of the annual Sharpe ratios of trials that is
// reckoned with: measured, where that is above 0, else barsPerYear/(n − 1), by
// which the Sharpe ratios of strategies without skill scatter over n returns (Lo
// 2002). NaN under two returns.
func TrialVariance(measured float64, n, barsPerYear int) float64 {
	switch {
	case measured > 0 && !math.IsInf(measured, 1):
		return measured
	case n < 2:
		return nan
	}
	return float64(barsPerYear) / float64(n-1)
}
