package metrics

import "math"

// Sharpe is the annualised ratio of mean excess return to standard deviation
// (Sharpe 1994). riskFreeBar is the risk-free return per bar; see PerBar. The result is
// NaN for fewer than two returns and for constant returns.
func Sharpe(m Moments, riskFreeBar float64, barsPerYear int) float64 {
	// A constant risk-free rate changes the mean but not the deviation.
	return ratio(m.Mean-riskFreeBar, m.Deviation) * math.Sqrt(float64(barsPerYear))
}

// PerBar returns the return per bar that compounds to an annual rate,
// (1+annual)^(1/barsPerYear) − 1. It is NaN for rates below −1.
func PerBar(annual float64, barsPerYear int) float64 {
	if annual == 0 {
		return 0
	}
	return math.Pow(1+annual, 1/float64(barsPerYear)) - 1
}
