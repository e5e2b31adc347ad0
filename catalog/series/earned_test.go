package series_test

import (
	"math"
	"testing"

	"ballast/catalog/series"
	"ballast/timeseries"
)

func TestEarned(t *testing.T) {
	t.Parallel()
	days := []timeseries.Date{10, 11, 14}
	for _, c := range []struct {
		kind      series.Kind
		frequency series.Frequency
		values    []float64
		want      []float64
		first     timeseries.Date
	}{
		{series.Return, series.Daily, []float64{0.1, -0.2, 0}, []float64{0.1, -0.2, 0}, 10},
		{series.Index, series.Monthly, []float64{100, 110, 99}, []float64{0.1, -0.1}, 11},
		{series.Rate, series.Monthly, []float64{0.12, 0, 0.05}, []float64{math.Pow(1.12, 1.0/12) - 1, 0, math.Pow(1.05, 1.0/12) - 1}, 10},
		{series.Rate, series.Daily, []float64{0.12, 0, 0.05}, []float64{math.Pow(1.12, 1.0/252) - 1, 0}, 11},
	} {
		v := series.Values{Of: &series.Series{Kind: c.kind, Frequency: c.frequency}, Dates: days, Values: c.values}
		got := v.Earned()
		if len(got.Values) != len(c.want) || got.Dates[0] != c.first {
			t.Fatalf("%s %s: %v from %v", c.frequency, c.kind, got.Values, got.Dates)
		}
		for i, want := range c.want {
			if math.Abs(got.Values[i]-want) > 1e-15 {
				t.Errorf("%s %s: value %d is %v, expected %v", c.frequency, c.kind, i, got.Values[i], want)
			}
		}
	}
}
