package series

import (
	"math"
	"strings"
	"testing"
	"time"

	"ballast/timeseries"
)

// monthlyOf is a column with a value per month from the given one on; NaN is missing.
func monthlyOf(kind Kind, year int, month time.Month, values ...float64) *Values {
	v := &Values{Of: &Series{Name: "CPI", Frequency: Monthly, Kind: kind}, Key: "ALL"}
	for i, x := range values {
		if !math.IsNaN(x) {
			v.Dates, v.Values = append(v.Dates, timeseries.NewDate(year, month+time.Month(i)+1, 0)), append(v.Values, x)
		}
	}
	return v
}

// A month's inflation is the return of the month, a twelfth power of one plus the annual
// rate, or what the index has risen by since its level before.
func TestInflation(t *testing.T) {
	t.Parallel()
	none := math.NaN()
	for _, c := range []struct {
		name string
		of   *Values
		want *Values
	}{
		{"return", monthlyOf(Return, 2019, 11, 0.001, none, -0.004), monthlyOf(Return, 2019, 11, 0.001, none, -0.004)},
		{"rate", monthlyOf(Rate, 2020, 2, 0.0625, 0), monthlyOf(Rate, 2020, 2, math.Pow(1.0625, 1.0/12)-1, 0)},
		{"index", monthlyOf(Index, 2019, 11, 100, 101, 100, 110), monthlyOf(Index, 2019, 12, 0.01, 100.0/101-1, 0.1)},
		{"an index with gaps", monthlyOf(Index, 2019, 11, 100, none, 121, none, none, 121*1.331, none, none, none, 500, 505),
			monthlyOf(Index, 2019, 12, 0.1, 0.1, 0.1, 0.1, 0.1, none, none, none, none, 0.01)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := c.of.Inflation()
			if err != nil {
				t.Fatal(err)
			}
			if got.Name() != "CPI.ALL" || len(got.Values) != len(c.want.Values) || len(got.Dates) != len(got.Values) {
				t.Fatalf("%s: %v on %v, want %v", got.Name(), got.Values, got.Dates, c.want.Values)
			}
			for i, x := range got.Values {
				if got.Dates[i] != c.want.Dates[i] || math.Abs(x-c.want.Values[i]) > 1e-12 {
					t.Errorf("%s: %v, want %v on %s", got.Dates[i], x, c.want.Values[i], c.want.Dates[i])
				}
			}
		})
	}
	daily := monthlyOf(Return, 2020, 1, 0.001)
	daily.Of.Frequency = Daily
	for text, of := range map[string]*Values{
		"CPI.ALL is a daily series: inflation comes from a monthly one":                                  daily,
		"CPI.ALL says that prices fell by 99.99 % in the month to 2020-02-29: at most 50 % is plausible": monthlyOf(Return, 2020, 1, 0.001, -0.9999),
	} {
		if _, err := of.Inflation(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %s", err, text)
		}
	}
}
