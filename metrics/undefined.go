package metrics

import "math"

// nan stands for what cannot be said.
var nan = math.NaN()

// rounding is the spread below which returns count as constant, as a fraction of
// the ratios that they are: a return is a ratio less 1, so its own rounding is
// about 1e-16 of that; what varies by less than a hundred of those has no
// volatility, only noise.
const rounding = 1e-14

// unlessFlat returns the deviation of values around mean, or exactly 0 where it is
// rounding alone.
func unlessFlat(deviation, mean float64) float64 {
	if deviation <= float64(rounding*(1+math.Abs(mean))) {
		return 0
	}
	return deviation
}

// ratio is a/b, NaN where b is 0, and where it is too large for a number: 0 is no
// answer to what went out of range.
func ratio(a, b float64) float64 {
	if b == 0 || math.IsInf(b, 0) {
		return nan
	}
	return a / b
}

// finite tells whether x is a number.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
