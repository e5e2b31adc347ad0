package download_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ballast/metrics"
	"ballast/timeseries"
)

// metricsCase is one series with the inputs of its metrics.
type metricsCase struct {
	name    string
	series  timeseries.Series
	options metrics.Options
}

// The metrics in Python must equal those of package metrics, key for key, to 1e-9.
func TestMetrics(t *testing.T) {
	t.Parallel()
	cases := metricsCases()
	requests := make([]map[string]any, len(cases))
	for i, c := range cases {
		requests[i] = computeCall(c)
	}
	var got []any
	evaluate(t, "testdata/metrics_cases.py", map[string]any{"runtime": "runtime", "cases": requests}, &got)

	var numbers, exact int
	var largest float64
	var worst string
	for i, c := range cases {
		text, err := json.Marshal(metrics.Compute(c.series, c.options))
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		walkBoth(c.name, want, got[i], func(where string, want, got any) {
			x, isNumber := want.(float64)
			y, both := got.(float64)
			if !isNumber || !both {
				if want != got {
					t.Errorf("%s: %v in Python, want %v", where, got, want)
				}
				return
			}
			numbers++
			switch apart := math.Abs(x-y) / max(1, math.Abs(x)); {
			case x == y:
				exact++
			case !(apart <= 1e-9):
				t.Errorf("%s: %v in Python, want %v", where, y, x)
			case apart > largest:
				largest, worst = apart, where
			}
		})
	}
	t.Logf("%d series, %d numbers, %d of them bit for bit; the largest difference is %.3g, of %s", len(cases), numbers, exact, largest, worst)
}

// walkBoth calls f with the leaves of two JSON values, including those that only one of
// them has.
func walkBoth(where string, want, got any, f func(where string, want, got any)) {
	switch x := want.(type) {
	case map[string]any:
		if y, ok := got.(map[string]any); ok && len(x) == len(y) {
			for key, v := range x {
				walkBoth(where+"."+key, v, y[key], f)
			}
			return
		}
	case []any:
		if y, ok := got.([]any); ok && len(x) == len(y) {
			for i, v := range x {
				walkBoth(fmt.Sprintf("%s[%d]", where, i), v, y[i], f)
			}
			return
		}
	default:
		f(where, want, got)
		return
	}
	f(where, fmt.Sprint(want), fmt.Sprint(got))
}

// computeCall returns a case as arguments of the Python function.
func computeCall(c metricsCase) map[string]any {
	base, dates, returns := plainSeries(c.series)
	r := map[string]any{
		"base": base, "dates": dates, "returns": returns, "bars_per_year": c.options.BarsPerYear, "risk_free": c.options.RiskFree,
		"gross": c.options.GrossExposure, "traded": c.options.Traded,
	}
	if b := c.options.Benchmark; b != nil {
		base, dates, returns := plainSeries(b.Series)
		r["benchmark"] = []any{b.Symbol, base, dates, returns}
	}
	return r
}

func plainSeries(s timeseries.Series) (base any, dates []string, returns []float64) {
	if s.Base != timeseries.NoDate {
		base = s.Base.String()
	}
	dates = make([]string, len(s.Dates))
	for i, d := range s.Dates {
		dates[i] = d.String()
	}
	return base, dates, append([]float64{}, s.Returns...)
}

// sessionsFrom returns a series on business days, or on every day.
func sessionsFrom(base timeseries.Date, everyDay bool, returns ...float64) timeseries.Series {
	s := timeseries.Series{Base: base, Returns: returns}
	for day := base; len(s.Dates) < len(returns); {
		day++
		if everyDay || day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			s.Dates = append(s.Dates, day)
		}
	}
	return s
}

// thinned returns s with the bars that keep refuses compounded into the next bar.
func thinned(s timeseries.Series, keep func(i int) bool) timeseries.Series {
	out := timeseries.Series{Base: s.Base}
	growth := 1.0
	for i, r := range s.Returns {
		growth *= 1 + r
		if keep(i) {
			out.Dates, out.Returns, growth = append(out.Dates, s.Dates[i]), append(out.Returns, growth-1), 1
		}
	}
	return out
}

// after returns s from the session at position from on, which becomes its base.
func after(s timeseries.Series, from, to int) timeseries.Series {
	return timeseries.Series{Base: s.Dates[from], Dates: s.Dates[from+1 : to], Returns: s.Returns[from+1 : to]}
}

func metricsCases() []metricsCase {
	const year = metrics.DefaultBarsPerYear
	base := timeseries.NewDate(2015, time.January, 1)
	// The series that the tests of package metrics compare with other libraries.
	oracle, market := make([]float64, 1260), make([]float64, 1260)
	for i := range oracle {
		t := float64(i + 1)
		market[i] = 0.0004 + 0.010*math.Sin(1.7*t) + 0.004*math.Sin(0.013*t*t)
		oracle[i] = 0.0001 + 0.8*market[i] + 0.005*math.Sin(2.3*t+0.5)
	}
	s, b := sessionsFrom(base, false, oracle...), sessionsFrom(base, false, market...)
	against := func(b timeseries.Series, rate float64) metrics.Options {
		return metrics.Options{BarsPerYear: year, RiskFree: rate, Benchmark: &metrics.BenchmarkSeries{Symbol: "BENCH", Series: b}}
	}
	cases := []metricsCase{
		{"oracle", s, against(b, 0)},
		{"oracle, riskless rate", s, against(b, 0.02)},
		{"oracle, negative rate", s, against(b, -0.01)},
		{"benchmark itself", s, against(s, 0)},
		{"benchmark with gaps", s, against(thinned(b, func(i int) bool { return i%7 != 3 && i%50 != 1 }), 0.01)},
		{"benchmark by weeks", s, against(thinned(b, func(i int) bool { return i%5 == 4 }), 0)},
		{"benchmark begins later", s, against(after(b, 300, 1260), 0)},
		{"benchmark ends sooner", s, against(after(b, 0, 700), 0)},
		{"benchmark begins sooner", after(s, 411, 1260), against(b, 0.03)},
		{"benchmark before", after(s, 800, 1260), against(after(b, 0, 700), 0)},
		{"benchmark after", after(s, 0, 500), against(after(b, 700, 1260), 0)},
		{"benchmark of one session", s, against(after(b, 500, 502), 0)},
		{"benchmark without returns", s, against(timeseries.Series{Base: base}, 0)},
		{"benchmark without bars", s, against(timeseries.Series{}, 0)},
		{"benchmark on every day", s, against(sessionsFrom(base, true, market...), 0)},
		{"benchmark that does not move", s, against(sessionsFrom(base, false, make([]float64, 1260)...), 0)},
		{"series on every day", sessionsFrom(base, true, oracle...), metrics.Options{BarsPerYear: 365, Benchmark: &metrics.BenchmarkSeries{Symbol: "B", Series: b}}},
		{"no bars a year said", s, metrics.Options{}},
		{"no bar at all", timeseries.Series{}, metrics.Options{BarsPerYear: year, GrossExposure: []float64{}, Traded: []float64{}}},
		{"no return", timeseries.Series{Base: base}, against(b, 0)},
	}
	for name, returns := range map[string][]float64{
		"one return": {0.01}, "one loss": {-0.5}, "one zero": {0}, "two": {0.01, -0.02}, "three": {0.01, -0.02, 0.005}, "four": {0.01, -0.02, 0.005, 0.03},
		"all zero": make([]float64, 300), "constant": slices.Repeat([]float64{0.001}, 600), "rounding alone": slices.Repeat([]float64{0.1, 0.1 + 1e-16}, 20),
		"only gains": slices.Repeat([]float64{0.01, 0.02}, 200), "only losses": slices.Repeat([]float64{-0.01, -0.003}, 200),
		"ruin at once": {-1, 0, 0}, "ruin": append(slices.Repeat([]float64{0.01, -0.02, 0.03}, 100), append([]float64{-1}, make([]float64, 400)...)...),
		"below zero": {0.1, -1.5, 0.2, 0.1}, "there and back": {0.25, -0.2, 0.25, -0.2, 0.25, -0.2}, "there and back by rounding": slices.Repeat([]float64{-0.07, 1/0.93 - 1}, 40), "enormous": slices.Repeat([]float64{1e40, -0.999}, 9),
	} {
		cases = append(cases, metricsCase{name, sessionsFrom(base, false, returns...), against(b, 0.01)})
	}
	// Years that end on their last weekday, the day after it, and the last day; 2016 ends
	// on a Saturday.
	for _, last := range []int{29, 30, 31} {
		days := int(timeseries.NewDate(2016, time.December, last) - base)
		for _, bars := range []int{year, 365} {
			cases = append(cases, metricsCase{fmt.Sprintf("until December %d, %d bars a year", last, bars), sessionsFrom(base, true, oracle[:days]...), metrics.Options{BarsPerYear: bars}})
		}
	}
	r := rand.New(rand.NewPCG(5, 3))
	for n := 1; n <= 6000; n = n*5/3 + 1 {
		returns, gross, traded := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range returns {
			returns[i] = 0.0003 + 0.011*r.NormFloat64()
			gross[i] = math.Floor(3*r.Float64()) / 2
			if i%21 == 0 {
				traded[i] = r.Float64()
			}
		}
		start := base - timeseries.Date(r.IntN(9000))
		series := sessionsFrom(start, n%2 == 0, returns...)
		options := against(b, 0.05*r.Float64())
		options.GrossExposure, options.Traded = gross, traded
		cases = append(cases, metricsCase{fmt.Sprintf("random, %d returns", n), series, options})
	}
	return cases
}
