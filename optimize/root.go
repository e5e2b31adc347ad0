package optimize

import (
	"errors"
	"math"
)

var errNoRoot = errors.New("no weights were found that use the whole limit; the numbers differ too much in size")

// root returns an x between low and high at which f is 0, to the last digits. f is
// positive at low and negative at high. The method is false position with Illinois' and
// bisection's safeguards (Dahlquist and Björck 1974): f costs a whole optimisation, and
// is nearly quadratic where no limit changes.
func root(f func(x float64) (float64, error), low, atLow, high, atHigh float64) (float64, error) {
	side, width := 0, high-low
	for k := range 200 {
		x := low + (high-low)*atLow/(atLow-atHigh)
		if k%4 == 3 {
			if high-low > width/4 { // the ends come together too slowly
				x = (low + high) / 2
			}
			width = high - low
		}
		if !(x > low && x < high) {
			x = (low + high) / 2
		}
		if x == low || x == high || high-low <= 4e-16*math.Abs(high) {
			return high, nil
		}
		y, err := f(x)
		switch {
		case err != nil:
			return 0, err
		case y == 0:
			return x, nil
		case y > 0:
			low, atLow = x, y
			if side > 0 {
				atHigh /= 2
			}
			side = 1
		default:
			high, atHigh = x, y
			if side < 0 {
				atLow /= 2
			}
			side = -1
		}
	}
	return 0, errNoRoot
}
