package metrics

import "math"

// DaysPerYear is the mean length of a calendar year in days.
const DaysPerYear = 365.25

// CAGR is the compound annual growth rate V^(365.25/days) − 1 of a growth V
// (1 + total return) over calendar days from the base to the end, an annual
// fraction. It equals ffn's calc_cagr. NaN where days is not positive or the
// growth is negative; a growth of 0 gives −1.
func CAGR(growth float64, days int) float64 {
	if days <= 0 || growth < 0 {
		return nan
	}
	return math.Pow(growth, DaysPerYear/float64(days)) - 1
}
