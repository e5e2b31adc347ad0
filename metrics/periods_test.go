package metrics_test

import (
	"math"
	"testing"

	"ballast/metrics"
	"ballast/timeseries"

	"github.com/google/go-cmp/cmp"
)

func date(t *testing.T, s string) timeseries.Date {
	t.Helper()
	d, err := timeseries.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func dated(t *testing.T, base string, days ...string) timeseries.Series {
	t.Helper()
	s := timeseries.Series{Base: date(t, base)}
	for _, day := range days {
		s.Dates = append(s.Dates, date(t, day))
		s.Returns = append(s.Returns, 0.5)
	}
	return s
}

func TestYears(t *testing.T) {
	type row struct {
		Year    int
		Return  float64
		Partial bool
	}
	for _, c := range []struct {
		name        string
		series      timeseries.Series
		barsPerYear int
		want        []row
	}{
		{"whole year from the last session before it", dated(t, "2020-12-31", "2021-01-04", "2021-12-31"), 252, []row{{2021, 1.25, false}}},
		{"base on the first session", dated(t, "2021-01-04", "2021-01-05", "2021-12-31"), 252, []row{{2021, 1.25, true}}},
		{"ends a session early", dated(t, "2020-12-31", "2021-01-04", "2021-12-30"), 252, []row{{2021, 1.25, true}}},
		{"the year's last session is a Friday before a weekend", dated(t, "2021-12-31", "2022-12-30"), 252, []row{{2022, 0.5, false}}},
		{"that Friday is not the end on calendar days", dated(t, "2021-12-31", "2022-12-30"), 365, []row{{2022, 0.5, true}}},
		{"calendar days to the end", dated(t, "2021-12-31", "2022-12-31"), 365, []row{{2022, 0.5, false}}},
		{"a year without sessions is left out", dated(t, "2018-12-31", "2019-06-03", "2021-06-01"), 252, []row{{2019, 0.5, false}, {2021, 0.5, true}}},
		{"first and last partial", dated(t, "2019-06-03", "2019-06-04", "2020-06-01", "2021-06-01"), 252, []row{{2019, 0.5, true}, {2020, 0.5, false}, {2021, 0.5, true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []row
			for _, y := range metrics.Compute(c.series, metrics.Options{BarsPerYear: c.barsPerYear}).Monthly {
				got = append(got, row{y.Year, float64(y.YearReturn), y.Partial})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("years (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMonthsOfTheTable(t *testing.T) {
	block := metrics.Compute(dated(t, "2021-01-29", "2021-02-01", "2021-02-26", "2021-12-01"), metrics.Options{})
	got := map[int]float64{}
	for i, v := range block.Monthly[0].Months {
		if !math.IsNaN(float64(v)) {
			got[i+1] = float64(v)
		}
	}
	if diff := cmp.Diff(map[int]float64{2: 1.25, 12: 0.5}, got); diff != "" {
		t.Errorf("months (-want +got):\n%s", diff)
	}
	if block.BestMonth != 1.25 || block.WorstMonth != 0.5 || block.PositiveMonths != 1 {
		t.Errorf("best %v, worst %v, positive %v; want 1.25, 0.5, 1", block.BestMonth, block.WorstMonth, block.PositiveMonths)
	}
}
