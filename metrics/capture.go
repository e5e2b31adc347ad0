package metrics

import "math"

// captures are the up and down capture ratios: the geometric monthly return of
// the series over that of the benchmark, annualised, in the months in which the
// benchmark rose, and in those in which it fell. They equal empyrical's on
// monthly returns. NaN where there is no such month. Both have the same months.
// A month in which it did neither, up to rounding, counts for neither.
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

// annualMonths annualises a growth over a number of months.
func annualMonths(growth float64, months int) float64 {
	return math.Pow(growth, 12/float64(months)) - 1
}
