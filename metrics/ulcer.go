package metrics

import "math"

// Ulcer is the root mean square of the drawdown of each session after the base
// (Martin 1987), a fraction; NaN without returns and where equity is not a number.
// equity begins with the base.
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

// UlcerPerformance is Martin's ratio (CAGR − annual risk-free rate) / Ulcer
// index; NaN where there was no drawdown.
func UlcerPerformance(cagr, riskFree, ulcer float64) float64 {
	return ratio(cagr-riskFree, ulcer)
}
