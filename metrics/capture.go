package metrics

import "math"

// captures returns the up and down capture ratios: the annualised geometric mean of the
// monthly returns of the series divided by that of the benchmark, over the months in
// which the benchmark rose, and over those in which it fell. Months in which it was
// flat, up to rounding, count for neither. A ratio is NaN if there are no such months.
// series and benchmark must have the same months. The ratios equal empyrical's on
// monthly returns.
func captures(series, benchmark []Period) (up, down float64) {
	return capture(series, benchmark, func(g float64) bool { return g-1 > flatMonth }),
		capture(series, benchmark, func(g float64) bool { return 1-g > flatMonth })
}

func capture(series, benchmark []Period, counts func(growth float64) bool) float64 {
	months := 0
	ours, theirs := 1.0, 1.0
	for i, b := range benchmark {
		if counts(b.Growth) {
			months++
			ours *= series[i].Growth
			theirs *= b.Growth
		}
	}
	if months == 0 {
		return nan
	}
	return ratio(annualMonths(ours, months), annualMonths(theirs, months))
}

// annualMonths annualises the growth over a number of months.
func annualMonths(growth float64, months int) float64 {
	return math.Pow(growth, 12/float64(months)) - 1
}
