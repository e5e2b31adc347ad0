package metrics

import "math"

// nan is the value of an undefined statistic.
var nan = math.NaN()

// rounding is the deviation up to which returns count as constant, relative to 1 + |mean|.
// A return is a ratio minus 1, so its rounding error is about 1e-16 times that ratio. A
// deviation of less than a hundred times that is noise, not volatility.
const rounding = 1e-14

// unlessFlat returns deviation, the deviation of values around mean, or exactly 0 if it
// is only rounding.
func unlessFlat(deviation, mean float64) float64 {
	if deviation <= float64(rounding*(1+math.Abs(mean))) {
		return 0
	}
	return deviation
}

// ratio returns a/b, or NaN if b is 0 or infinite. For an infinite b the quotient would
// be 0, which would hide the overflow.
func ratio(a, b float64) float64 {
	if b == 0 || math.IsInf(b, 0) {
		return nan
	}
	return a / b
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
