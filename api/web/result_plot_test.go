package web

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

// For any returns, every point of the plot lies inside it, in order of time.
func TestPlotsStayWithin(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		returns := rapid.SliceOfN(rapid.Float64Range(-1, 3), 1, 3000).Draw(t, "returns")
		base := timeseries.Date(rapid.IntRange(-10000, 20000).Draw(t, "base"))
		dates := make([]timeseries.Date, len(returns))
		last := base
		for i := range dates {
			last += timeseries.Date(rapid.IntRange(1, 4).Draw(t, "days"))
			dates[i] = last
		}
		p := newPlot(&history.History{Base: base, Dates: dates, Returns: returns}, false, nil)
		if p == nil {
			if metrics.Equity(nil, returns)[len(returns)] < math.MaxFloat64 {
				t.Fatal("no plot")
			}
			return
		}
		for _, points := range []string{p.Growth, p.Under} {
			before := math.Inf(-1)
			fields := strings.Fields(points)
			if len(fields) > 2*plotColumns+2 {
				t.Fatalf("%d points", len(fields))
			}
			for _, f := range fields {
				x, y, _ := strings.Cut(f, ",")
				across, down := inside(t, x, 0, plotWidth), inside(t, y, 0, underBottom)
				if across < before || math.IsNaN(down) {
					t.Fatalf("%s follows %v", f, before)
				}
				before = across
			}
		}
		if len(p.Levels) == 0 || len(p.Levels) > 12 || len(p.Depths) == 0 {
			t.Fatalf("%d levels, %d depths", len(p.Levels), len(p.Depths))
		}
		for _, m := range append(append([]mark{}, p.Levels...), p.Depths...) {
			inside(t, m.At, 0, 100)
		}
		for _, m := range p.Times {
			inside(t, m.At, 0, 100)
		}
	})
}

func inside(t *rapid.T, text string, low, high float64) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= low && v <= high) {
		t.Fatalf("%s is not within %v and %v: %v", text, low, high, err)
	}
	return v
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		got  []float64
		want []float64
	}{
		{"much growth", growthScale(.8, 60, false).ticks(), []float64{1, 2, 5, 10, 20, 50}},
		{"some growth", growthScale(.9, 1.6, false).ticks(), []float64{1, 1.2, 1.4, 1.6}},
		{"all lost", growthScale(0, 1, false).ticks(), []float64{0, .2, .4, .6, .8, 1}},
		{"hardly any drawdown", depthTicks(-.004), []float64{0}},
		{"a drawdown", depthTicks(-.128), []float64{0, -.05, -.1}},
		{"a deep one", depthTicks(-1), []float64{0, -.5, -1}},
	} {
		for i := range test.got {
			test.got[i] = math.Round(test.got[i]*1e9) / 1e9
		}
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// The benchmark's line starts where the model's line is at that time, and no
// benchmark makes the drawing fail.
func TestPlotBesideABenchmark(t *testing.T) {
	t.Parallel()
	base := timeseries.NewDate(2020, 1, 1)
	dates := []timeseries.Date{base + 1, base + 2, base + 3}
	p := newPlot(&history.History{Base: base, Dates: dates, Returns: []float64{1, 0, 0}, Beside: &history.Beside{Symbol: "B", From: 1, Returns: []float64{0, 0}}}, false, nil)
	growth, beside := strings.Fields(p.Growth), strings.Fields(p.Beside)
	if len(beside) != 3 || beside[0] != growth[1] || beside[2] != growth[3] || p.Against != "B" {
		t.Errorf("growth %s, beside %s", p.Growth, p.Beside)
	}
	for name, b := range map[string]*history.Beside{
		"none":      nil,
		"empty":     {Symbol: "B", From: 3},
		"worthless": {Symbol: "B", Returns: []float64{-1, 0, 0}},
		"endless":   {Symbol: "B", Returns: []float64{1e300, 1e300, 1e300}},
	} {
		if p := newPlot(&history.History{Base: base, Dates: dates, Returns: []float64{.1, .1, .1}, Beside: b}, false, nil); p == nil || p.Beside != "" || metrics.Equity(nil, []float64{.1})[1] != 1.1 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := newPlot(&history.History{Base: base, Dates: dates, Returns: []float64{-1, 0, 0}, Beside: &history.Beside{Symbol: "B", From: 1, Returns: []float64{.1, .1}}}, false, nil); p == nil || p.Beside != "" {
		t.Errorf("beside nothing: %+v", p)
	}
}
