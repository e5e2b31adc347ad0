package history

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ballast/metrics"
	"ballast/timeseries"
	"ballast/timeseries/sample"
)

func TestJudgedOverTheCommonDays(t *testing.T) {
	t.Parallel()
	s := timeseries.Series{Base: sample.Days(0)[0], Dates: sample.Days(1, 2, 3, 4), Returns: []float64{0.5, 0.1, -0.2, 0.25}}
	if _, drawdown := judged(s, sample.Days(1)[0], sample.Days(3)[0]); drawdown != -0.2 && (drawdown+0.2 > 1e-15 || drawdown+0.2 < -1e-15) {
		t.Errorf("drawdown %v", drawdown)
	}
	whole, _ := judged(s, sample.Days(0)[0], sample.Days(4)[0])
	part, _ := judged(s, sample.Days(1)[0], sample.Days(4)[0])
	if !(whole > part) {
		t.Errorf("growth %v with the first day, %v without", whole, part)
	}
	if none, _ := judged(s, sample.Days(4)[0], sample.Days(4)[0]); !math.IsNaN(float64(none)) {
		t.Errorf("growth %v of no days", none)
	}
}

func TestJudgedAsTheMetricsDo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		returns := rapid.SliceOfN(rapid.Float64Range(-1, 0.5), 1, 40).Draw(t, "returns")
		s := timeseries.Series{Base: 0, Returns: returns}
		for i := range returns {
			s.Dates = append(s.Dates, timeseries.Date(i+1))
		}
		cagr, drawdown := judged(s, s.Base, s.Last())
		want := metrics.Compute(s, metrics.Options{})
		if cagr != want.CAGR || drawdown != want.MaxDrawdown.Value {
			t.Errorf("%v and %v, the metrics have %v and %v", cagr, drawdown, want.CAGR, want.MaxDrawdown.Value)
		}
	})
}

func TestSpread(t *testing.T) {
	t.Parallel()
	if got, want := spreadOf([]float64{3, 1, 2, 8}), (Spread{Lowest: 1, Median: 2.5, Highest: 8, Spread: 7}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := spreadOf(nil); !math.IsNaN(float64(got.Median)) {
		t.Errorf("%+v of nothing", got)
	}
}
