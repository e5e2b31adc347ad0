package metrics

import "math"

// DaysPerYear is the mean length of a calendar year in days.
const DaysPerYear = 365.25

// CAGR is the compound annual growth rate V^(365.25/days) − 1, an annual fraction, for
// the growth V = 1 + total return and the calendar days from the base to the end. It
// equals ffn's calc_cagr. It is NaN if days is not positive or the growth is negative,
// and −1 for a growth of 0.
func CAGR(growth float64, days int) float64 {
	if days <= 0 || growth < 0 {
		return nan
	}
	return math.Pow(growth, DaysPerYear/float64(days)) - 1
}
