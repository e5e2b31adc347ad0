package metrics

import "math"

// Calmar is CAGR over the depth of the maximum drawdown (Young 1991, over the
// whole window); NaN where there was no drawdown.
func Calmar(cagr, maxDrawdown float64) float64 {
	return ratio(cagr, math.Abs(maxDrawdown))
}
