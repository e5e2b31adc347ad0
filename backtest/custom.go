package backtest

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Custom is one series of values that the decider recorded.
type Custom struct {
	Name   string
	Values []float64 // one per row of the result, NaN on sessions without a value
}

// recorder stores custom series by axis position until the base is known.
type recorder struct {
	sessions int
	first    int // axis position of the first value that is stored
	series   map[string][]float64
}

func (r *recorder) record(t int, name string, value float64) {
	if r == nil { // a Session created outside a run records nothing
		return
	}
	if value-value != 0 { // store every NaN and infinity with the same bits
		value = math.NaN()
	}
	r.column(name)[t-r.first] = value
}

// column returns a series, which is created on first use.
func (r *recorder) column(name string) []float64 {
	column, ok := r.series[name]
	if !ok {
		if r.series == nil {
			r.series = make(map[string][]float64)
		}
		column = make([]float64, r.sessions-r.first)
		for i := range column {
			column[i] = math.NaN()
		}
		r.series[name] = column
	}
	return column
}

// names returns the names of the series, in ascending order.
func (r *recorder) names() []string { return slices.Sorted(maps.Keys(r.series)) }

// from returns the series from axis position base on, sorted by name.
func (r *recorder) from(base int) []Custom {
	all := make([]Custom, 0, len(r.series))
	for name, column := range r.series {
		all = append(all, Custom{Name: name, Values: column[base-r.first:]})
	}
	slices.SortFunc(all, func(a, b Custom) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
