package series

import (
	"math"
	"testing"

	"ballast/timeseries"
)

func day(text string) timeseries.Date {
	d, err := timeseries.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// TestRisklessReturns compares with calculations by hand. 2024-01-12 is a Friday, and
// 2024-01-15 a holiday.
func TestRisklessReturns(t *testing.T) {
	t.Parallel()
	dates := []timeseries.Date{day("2024-01-12"), day("2024-01-16"), day("2024-02-01")}
	january := []timeseries.Date{day("2023-12-31"), day("2024-01-31")}
	for name, c := range map[string]struct {
		frequency Frequency
		kind      Kind
		dates     []timeseries.Date
		values    []float64
		want      []float64
	}{
		"daily returns":   {Daily, Return, []timeseries.Date{day("2024-01-11"), day("2024-01-12"), day("2024-01-15"), day("2024-01-16")}, []float64{9, 0.0002, 0.0003, 0.0004}, []float64{0.0002, 1.0003*1.0004 - 1, 0}},
		"monthly returns": {Monthly, Return, january, []float64{0.004, 0.005}, []float64{math.Pow(1.005, 12.0/252) - 1, math.Pow(1.005, 12.0/252) - 1, math.Pow(1.005, 12.0/252) - 1}},
		"daily rates":     {Daily, Rate, []timeseries.Date{day("2024-01-11"), day("2024-01-12"), day("2024-01-16")}, []float64{0.05, 0.06, 0.07}, []float64{math.Pow(1.05, 1.0/252) - 1, math.Pow(1.06, 1.0/252) - 1, math.Pow(1.07, 1.0/252) - 1}},
		"monthly rates":   {Monthly, Rate, january, []float64{0.04, 0.05}, []float64{math.Pow(1.05, 1.0/252) - 1, math.Pow(1.05, 1.0/252) - 1, math.Pow(1.05, 1.0/252) - 1}},
		"daily levels":    {Daily, Index, []timeseries.Date{day("2024-01-10"), day("2024-01-12"), day("2024-01-16"), day("2024-02-01")}, []float64{100, 101, 102, 103}, []float64{0.01, 102.0/101 - 1, 103.0/102 - 1}},
		"monthly levels":  {Monthly, Index, january, []float64{100, 101}, []float64{math.Pow(1.01, 12.0/252) - 1, math.Pow(1.01, 12.0/252) - 1, math.Pow(1.01, 12.0/252) - 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := &Values{Of: &Series{Name: "X", Frequency: c.frequency, Kind: c.kind}, Key: "Y", Dates: c.dates, Values: c.values}
			got, err := Riskless{Series: v}.Returns(day("2024-01-11"), dates, 252)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				if math.Abs(got[i]-want) > 1e-15 {
					t.Errorf("the return of %s is %v, want %v", dates[i], got[i], want)
				}
			}
		})
	}
}

func TestRisklessSeriesMustCoverTheWindow(t *testing.T) {
	t.Parallel()
	v := &Values{Of: &Series{Name: "X", Frequency: Monthly, Kind: Rate}, Key: "Y", Dates: []timeseries.Date{day("2024-01-31")}, Values: []float64{0.05}}
	for _, dates := range [][]timeseries.Date{{day("2023-12-29")}, {day("2024-05-03")}} {
		if _, err := (Riskless{Series: v}).Returns(timeseries.NoDate, dates, 252); err == nil {
			t.Errorf("%s is accepted", dates[0])
		}
	}
	if _, err := (Riskless{Series: v}).Returns(timeseries.NoDate, []timeseries.Date{day("2024-05-02")}, 252); err != nil {
		t.Error(err)
	}
}
