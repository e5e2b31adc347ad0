package metrics_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ballast/metrics"
	"ballast/timeseries"
)

func TestComparable(t *testing.T) {
	base := timeseries.NewDate(2024, time.January, 7)
	model := daily(base, 0.1, -0.1, 0.3)
	monthApart := timeseries.Series{Base: base - 15, Dates: []timeseries.Date{base - 10, base + 20}, Returns: []float64{0.1, 0.2}}
	for _, c := range []struct {
		name   string
		series timeseries.Series
		other  timeseries.Series
		want   string // part of the error; "" for none
	}{
		{"the same", model, model, ""},
		{"one session in common", model, daily(base+2, 0.1, 0.2), ""},
		{"without a bar", model, timeseries.Series{Base: timeseries.NoDate}, "X has no returns, the series from 2024-01-08 to 2024-01-10"},
		{"a base alone", model, timeseries.Series{Base: base}, "X has no returns"},
		{"over before the model begins", model, daily(base-20, 0.1, 0.2), "X has returns from 2023-12-19 to 2023-12-20, the series from 2024-01-08 to 2024-01-10"},
		{"over on the model's base", model, daily(base-1, 0.1), "X has returns from 2024-01-07 to 2024-01-07"},
		{"begins on the model's end", model, daily(base+3, 0.1, 0.2), "X has returns from 2024-01-11 to 2024-01-12"},
		{"no bar in between", model, monthApart, "X has returns from 2023-12-28 to 2024-01-27"},
		{"nothing to compare", timeseries.Series{Base: base}, model, ""},
		{"nothing at all", timeseries.Series{Base: timeseries.NoDate}, timeseries.Series{Base: timeseries.NoDate}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			against := &metrics.BenchmarkSeries{Symbol: "X", Series: c.other}
			err := metrics.Comparable(c.series, against)
			if c.want == "" {
				if err != nil {
					t.Errorf("error %v", err)
				}
				return
			}
			if !errors.Is(err, metrics.ErrNoCommonSessions) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one of no common sessions with %q", err, c.want)
			}
			if figures := said(t, &metrics.Block{Benchmark: metrics.Compute(c.series, metrics.Options{Benchmark: against}).Benchmark}); hasPrefix(figures, "benchmark.") {
				t.Errorf("figures of a benchmark that shares nothing: %v", figures)
			}
		})
	}
	if err := metrics.Comparable(model, nil); err != nil {
		t.Errorf("without a benchmark: %v", err)
	}
}

func hasPrefix(figures map[string]float64, prefix string) bool {
	for name := range figures {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
