package metrics_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ballast/metrics"
	"ballast/timeseries"
)

// The core figures are those of the whole block, to the bit.
func TestCoreEqualsBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		returns := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.01, -0.01, 0.003, -0.2, 0.05, -1, 1e-17}), 0, 300).Draw(t, "returns")
		s := timeseries.Series{Base: 10_000, Returns: returns}
		var traded []float64
		for i := range returns {
			s.Dates = append(s.Dates, s.Base+timeseries.Date(i+1))
			traded = append(traded, float64(i%7)/10)
		}
		if rapid.Bool().Draw(t, "without traded") {
			traded = nil
		}
		block := metrics.FiguresOf(metrics.Compute(s, metrics.Options{Traded: traded}))
		core := metrics.CoreOf(s, traded, 0)
		for name, got := range map[string]float64{
			"sharpe": core.Sharpe, "sortino": core.Sortino, "calmar": core.Calmar, "cagr": core.CAGR,
			"annual_volatility": core.Volatility, "max_drawdown": core.MaxDrawdown, "turnover": core.Turnover,
		} {
			if math.IsInf(got, 0) {
				got = math.NaN()
			}
			want := block.Figure(name)
			if math.IsNaN(got) && math.IsNaN(want) {
				continue
			}
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("%s of %v is %v, and %v in the block", name, returns, got, want)
			}
		}
	})
}
