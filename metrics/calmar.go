package metrics

import "math"

// Calmar is the CAGR divided by the depth of the maximum drawdown (Young 1991, but over
// the whole window). It is NaN without a drawdown.
func Calmar(cagr, maxDrawdown float64) float64 {
	return ratio(cagr, math.Abs(maxDrawdown))
}
