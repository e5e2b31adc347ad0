package metrics

import "math"

// Sortino is the annualised ratio of mean excess return to downside deviation
// √mean(min(x, 0)²), where the mean is over all bars and not only over losses (Sortino
// and Price 1994). It is NaN for fewer than two returns, and if no return is below the
// risk-free return.
func Sortino(returns []float64, riskFreeBar float64, barsPerYear int) float64 {
	if len(returns) < 2 {
		return nan
	}
	var sum, squares float64
	for _, r := range returns {
		x := r - riskFreeBar
		sum += x
		below := min(x, 0)
		squares += float64(below * below)
	}
	n := float64(len(returns))
	return ratio(sum/n, unlessFlat(math.Sqrt(squares/n), 0)) * math.Sqrt(float64(barsPerYear))
}
