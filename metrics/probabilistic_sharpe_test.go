package metrics_test

import (
	"math"
	"testing"

	"ballast/metrics"

	"pgregory.net/rapid"
)

// moments returns the moments of n returns with a given Sharpe ratio per bar.
func moments(n int, sharpe, skewness, kurtosis float64) metrics.Moments {
	return metrics.Moments{N: n, Mean: sharpe, Deviation: 1, Skewness: skewness, ExcessKurtosis: kurtosis - 3}
}

func TestProbabilisticSharpe(t *testing.T) {
	s, _ := oracle()
	of := metrics.MomentsOf(s.Returns)
	for _, c := range []struct {
		name, source string
		got, want    float64
		tolerance    float64
	}{
		{
			"two years of months, as if normal", "Bailey and López de Prado 2012, p. 12: 0.982; digits from SciPy 1.17.1",
			metrics.ProbabilisticSharpe(moments(24, 0.458, 0, 3), 0, 0), 0.9816749190910771, 1e-14,
		},
		{
			"two years of months, as they are", "Bailey and López de Prado 2012, p. 12: 0.913; digits from SciPy 1.17.1",
			metrics.ProbabilisticSharpe(moments(24, 0.458, -2.448, 10.164), 0, 0), 0.913361083860933, 1e-14,
		},
		{
			"the oracle", "quantstats 0.0.86 probabilistic_sharpe_ratio",
			metrics.ProbabilisticSharpe(of, 0, 0), 0.9765586306465345, 1e-13,
		},
		{
			"the oracle above 2 %", "quantstats 0.0.86 probabilistic_sharpe_ratio(rf=0.02)",
			metrics.ProbabilisticSharpe(of, metrics.PerBar(0.02, 252), 0), 0.9447278635218584, 1e-13,
		},
		{
			"the threshold itself", "by symmetry",
			metrics.ProbabilisticSharpe(moments(100, 0.1, -1, 7), 0, 0.1), 0.5, 0,
		},
	} {
		near(t, c.name+" ("+c.source+")", c.got, c.want, c.tolerance)
	}
}

func TestProbabilisticSharpeThatCannotBeSaid(t *testing.T) {
	for name, m := range map[string]metrics.Moments{
		"nothing":          metrics.MomentsOf(nil),
		"three returns":    metrics.MomentsOf([]float64{0.1, -0.1, 0.2}),
		"constant returns": metrics.MomentsOf([]float64{0.1, 0.1, 0.1, 0.1, 0.1}),
		"not a number":     metrics.MomentsOf([]float64{0.1, math.NaN(), 0.2, 0.3, 0.1}),
		"out of range":     metrics.MomentsOf([]float64{1e200, -1e200, 1e200, 0, 1}),
		"no root":          moments(4, 1, 3, 1), // 1 − 3 + 0
	} {
		if got := metrics.ProbabilisticSharpe(m, 0, 0); !math.IsNaN(got) {
			t.Errorf("%s: %v, want NaN", name, got)
		}
		if got := metrics.DeflatedSharpe(m, 0, 252, 10, 0.1); !math.IsNaN(got) {
			t.Errorf("%s: deflated %v, want NaN", name, got)
		}
	}
}

func TestProbabilisticSharpeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := metrics.MomentsOf(drawSeries(t, 4).Returns)
		if math.IsNaN(m.ExcessKurtosis) {
			t.Skip("values that do not vary")
		}
		low := rapid.Float64Range(-1, 1).Draw(t, "threshold")
		at, above := metrics.ProbabilisticSharpe(m, 0, low), metrics.ProbabilisticSharpe(m, 0, low+rapid.Float64Range(0, 1).Draw(t, "more"))
		if math.IsNaN(at) {
			t.Skip("no root")
		}
		if at < 0 || at > 1 || above < 0 || above > at+1e-15 {
			t.Errorf("probabilities %v and, above a higher threshold, %v", at, above)
		}
		if zero := metrics.ProbabilisticSharpe(m, 0, 0); zero > 0.5 != (m.Mean > 0) && math.Abs(zero-0.5) > 1e-12 {
			t.Errorf("probability %v with a mean of %v", zero, m.Mean)
		}
	})
}
