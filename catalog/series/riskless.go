package series

import (
	"fmt"
	"math"
	"sort"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/timeseries"
)

// Riskless is a riskless rate: a column of a series or, without one, the same annual
// rate on every day.
type Riskless struct {
	Annual float64 // fraction
	Series *Values
}

// carried is how many days after its last value a series still counts: a monthly series
// is published weeks after its month ends.
const carried = 92

// Returns returns the riskless return of each bar, daily fractions; nil for the same
// rate on every day. base is the date before the first bar. For sessions and bpy bars per
// year:
//
//	return, daily    Π(1 + v) − 1 over the values after the previous bar, up to the bar
//	return, monthly  (1 + v)^(12/bpy) − 1 with the value of the bar's month
//	rate, daily      (1 + v)^(1/bpy) − 1 with the last value before the bar
//	rate, monthly    (1 + v)^(1/bpy) − 1 with the value of the bar's month
//	index, daily     v/u − 1 with the last values up to the bar and up to the previous bar
//	index, monthly   (v/u)^(12/bpy) − 1 with the values of the bar's month and of the one before
//
// A month without a value has that of the last month before it. A bar before the first
// value, or more than 92 days after the last one, is fault.InvalidParameter.
func (r Riskless) Returns(base timeseries.Date, dates []timeseries.Date, bpy int) ([]float64, error) {
	if r.Series == nil {
		return nil, nil
	}
	v := r.Series
	out := make([]float64, len(dates))
	previous := base
	for i, d := range dates {
		if previous == timeseries.NoDate {
			previous = d - 1
		}
		x, ok := v.over(previous, d, float64(bpy))
		if !ok {
			return nil, r.outside(dates)
		}
		out[i], previous = x, d
	}
	return out, nil
}

// Set puts the riskless rate of the bars of a series of returns into the options of their
// statistics.
func (r Riskless) Set(o *metrics.Options, of timeseries.Series) (err error) {
	o.RiskFree = r.Annual
	if r.Series == nil || len(of.Dates) == 0 {
		return nil
	}
	bpy := o.BarsPerYear
	if bpy == 0 {
		bpy = metrics.DefaultBarsPerYear
	}
	o.RiskFreeSeries = fmt.Sprintf("%s, version %d", r.Series.Name(), r.Series.Of.Version)
	o.RiskFreeReturns, err = r.Returns(of.Base, of.Dates, bpy)
	return err
}

// over returns the riskless return from one bar to the next. It reports false if the
// series has no value for it.
func (v *Values) over(previous, d timeseries.Date, bpy float64) (float64, bool) {
	at := d
	if v.Of.Frequency == Monthly {
		at = monthEnd(d)
	} else if v.Of.Kind == Rate {
		at = d - 1
	}
	n := v.through(at)
	if n == 0 || int(d-v.Dates[n-1]) > carried {
		return 0, false
	}
	last := v.Values[n-1]
	switch {
	case v.Of.Kind == Rate:
		return math.Pow(1+last, 1/bpy) - 1, true
	case v.Of.Kind == Return && v.Of.Frequency == Monthly:
		return math.Pow(1+last, 12/bpy) - 1, true
	case v.Of.Kind == Return:
		growth := 1.0
		for _, x := range v.Values[v.through(previous):n] {
			growth *= 1 + x
		}
		return growth - 1, true
	case v.Of.Frequency == Monthly:
		if n < 2 {
			return 0, false
		}
		months := float64(monthNumber(v.Dates[n-1]) - monthNumber(v.Dates[n-2]))
		return math.Pow(last/v.Values[n-2], 12/bpy/months) - 1, true
	}
	before := v.through(previous)
	if before == 0 {
		return 0, false
	}
	return last/v.Values[before-1] - 1, true
}

// through returns how many values are dated up to d.
func (v *Values) through(d timeseries.Date) int {
	return sort.Search(len(v.Dates), func(i int) bool { return v.Dates[i] > d })
}

// monthNumber counts months from the year 0.
func monthNumber(d timeseries.Date) int {
	year, month, _ := d.YMD()
	return 12*year + int(month) - 1
}

// outside says that a window reaches beyond the series.
func (r Riskless) outside(dates []timeseries.Date) error {
	v := r.Series
	message := fmt.Sprintf("%s has values from %s to %s, which do not cover the window from %s to %s. Choose dates within them, or send a number.",
		v.Name(), v.Dates[0], v.Dates[len(v.Dates)-1], dates[0], dates[len(dates)-1])
	return fault.New(fault.InvalidParameter, "%s", message).With(fault.Detail{Field: "risk_free", Message: "does not cover the window"})
}
