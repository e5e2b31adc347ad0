package backtest

import (
	"cmp"
	"math"
	"slices"
)

// Custom is one series of diagnostics that the decider recorded.
type Custom struct {
	Name   string
	Values []float64 // one a row of the result, NaN on sessions without a record
}

// recorder keeps custom series by axis position until the base is known.
type recorder struct {
	sessions int
	series   map[string][]float64
}

func (r *recorder) record(t int, name string, value float64) {
	if r == nil { // a session made outside a run keeps nothing
		return
	}
	column, ok := r.series[name]
	if !ok {
		if r.series == nil {
			r.series = make(map[string][]float64)
		}
		column = make([]float64, r.sessions)
		for i := range column {
			column[i] = math.NaN()
		}
		r.series[name] = column
	}
	if math.IsInf(value, 0) {
		value = math.NaN()
	}
	column[t] = value
}

// from returns the series by name, from axis position base on.
func (r *recorder) from(base int) []Custom {
	all := make([]Custom, 0, len(r.series))
	for name, column := range r.series {
		all = append(all, Custom{Name: name, Values: column[base:]})
	}
	slices.SortFunc(all, func(a, b Custom) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
