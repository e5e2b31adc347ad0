package metrics

import "math"

// nan stands for what cannot be said.
var nan = math.NaN()

// rounding is the spread below which returns count as constant. A return is a
// ratio near 1 less 1, so its own rounding is about 1e-16; what varies by less
// than a hundred of those has no volatility, only noise.
const rounding = 1e-14

// unlessFlat returns deviation, or exactly 0 where it is rounding alone.
func unlessFlat(deviation float64) float64 {
	if deviation <= rounding {
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
