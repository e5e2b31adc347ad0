package metrics

import "gonum.org/v1/gonum/floats"

// WinRate is the share of returns above 0; NaN without returns.
func WinRate(returns []float64) float64 {
	return share(returns)
}

// bestWorst returns the largest and smallest value, NaN without values.
func bestWorst(x []float64) (best, worst float64) {
	if len(x) == 0 {
		return nan, nan
	}
	return floats.Max(x), floats.Min(x)
}

// share is the part of x that is above 0; NaN without values.
func share(x []float64) float64 {
	above := 0
	for _, v := range x {
		if v > 0 {
			above++
		}
	}
	return ratio(float64(above), float64(len(x)))
}
