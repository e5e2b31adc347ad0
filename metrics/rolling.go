package metrics

import (
	"math"

	"ballast/internal/number"
)

// Range is the spread of a figure over all windows of one length, null where
// the series is shorter than the window.
type Range struct {
	Min    number.Float `json:"min"`
	Median number.Float `json:"median"`
	Max    number.Float `json:"max"`
}

// Rolling holds annualised compound returns over windows of whole years.
type Rolling struct {
	OneYear   Range `json:"one_year"`
	ThreeYear Range `json:"three_year"`
	FiveYear  Range `json:"five_year"`
}

// rolling takes windows that end at every session; scratch has room for equity.
// Equity that went out of range has no figures, whatever came before.
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

// rollingYears ranges over (V[t]/V[t−k·bpy])^(1/k) − 1. Windows that begin
// after ruin have no return and are left out.
func rollingYears(equity []float64, years, barsPerYear int, scratch []float64) Range {
	growths := scratch[:0]
	for t := years * barsPerYear; t < len(equity); t++ {
		if start := equity[t-years*barsPerYear]; start > 0 {
			growths = append(growths, equity[t]/start)
		}
	}
	// Annualising keeps the order, so only what is reported needs a power.
	annual := func(growth float64) float64 { return math.Pow(growth, 1/float64(years)) - 1 }
	most, least := bestWorst(growths)
	return Range{
		Min:    number.Float(annual(least)),
		Median: number.Float(medianOf(growths, annual)),
		Max:    number.Float(annual(most)),
	}
}

// medianOf is the median of f over x for an increasing f, with f taken of the
// middle values alone; it reorders x.
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
