package metrics

import (
	"math"

	"ballast/internal/number"
)

// Range summarises a statistic over all windows of one length. It is null if the series
// is shorter than the window.
type Range struct {
	Min    number.Float `json:"min"`
	Median number.Float `json:"median"`
	Max    number.Float `json:"max"`
}

// Rolling has the annualised compound returns over windows of one, three and five years.
type Rolling struct {
	OneYear   Range `json:"one_year"`
	ThreeYear Range `json:"three_year"`
	FiveYear  Range `json:"five_year"`
}

// rolling computes the returns over the windows that end at each session. scratch must
// have a capacity of at least the length of equity. If equity overflows, all results are
// NaN.
func rolling(equity []float64, barsPerYear int, scratch []float64) Rolling {
	if !finite(equity[len(equity)-1]) {
		equity = nil
	}
	return Rolling{
		OneYear:   rollingYears(equity, 1, barsPerYear, scratch),
		ThreeYear: rollingYears(equity, 3, barsPerYear, scratch),
		FiveYear:  rollingYears(equity, 5, barsPerYear, scratch),
	}
}

// RollingReturns returns the annualised compound return over the k years that end at each
// session, (V[t]/V[t−k·bpy])^(1/k) − 1: the values that Rolling summarises. It is NaN where
// the series is too short, and for windows that start after ruin.
func RollingReturns(equity []float64, years, barsPerYear int) []float64 {
	out := make([]float64, len(equity))
	for t := range equity {
		out[t] = nan
		if s := t - years*barsPerYear; s >= 0 && equity[s] > 0 {
			out[t] = math.Pow(equity[t]/equity[s], 1/float64(years)) - 1
		}
	}
	return out
}

// rollingYears summarises (V[t]/V[t−k·bpy])^(1/k) − 1 for windows of k years. Windows
// that start after ruin have no return and are left out.
func rollingYears(equity []float64, years, barsPerYear int, scratch []float64) Range {
	growths := scratch[:0]
	for t := years * barsPerYear; t < len(equity); t++ {
		if start := equity[t-years*barsPerYear]; start > 0 {
			growths = append(growths, equity[t]/start)
		}
	}
	// Annualising is monotonic, so it is applied only to the reported values.
	annual := func(growth float64) float64 { return math.Pow(growth, 1/float64(years)) - 1 }
	most, least := bestWorst(growths)
	return Range{
		Min:    number.Float(annual(least)),
		Median: number.Float(medianOf(growths, annual)),
		Max:    number.Float(annual(most)),
	}
}

// medianOf returns the median of f over x for an increasing f. It computes f only for
// the middle values, and reorders x.
func medianOf(x []float64, f func(float64) float64) float64 {
	n := len(x)
	if n == 0 {
		return nan
	}
	high := f(selectNth(x, n/2))
	if n%2 == 1 {
		return high
	}
	low, _ := bestWorst(x[:n/2])
	return (f(low) + high) / 2
}
