package metrics

import "math"

// Ulcer is the ulcer index: the root mean square of the drawdowns at each session after
// the base, a fraction (Martin 1987). equity starts with the base. The result is NaN
// without returns and if equity is not finite.
func Ulcer(equity []float64) float64 {
	if len(equity) < 2 || !finite(equity[len(equity)-1]) {
		return nan
	}
	high, squares := equity[0], 0.0
	for _, value := range equity[1:] {
		if !underWater(value, high) {
			high = max(high, value)
			continue
		}
		depth := value/high - 1
		squares += float64(depth * depth)
	}
	return math.Sqrt(squares / float64(len(equity)-1))
}

// UlcerPerformance is the ulcer performance index, or Martin ratio: (CAGR − annual
// risk-free rate) / ulcer index. It is NaN without a drawdown.
func UlcerPerformance(cagr, riskFree, ulcer float64) float64 {
	return ratio(cagr-riskFree, ulcer)
}
