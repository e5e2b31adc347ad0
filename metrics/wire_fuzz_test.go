package metrics_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"ballast/metrics"
)

// FuzzWire makes series from arbitrary bits, including infinite and missing returns. The
// block must always be valid JSON with every value in its range or null, and a missing
// return must make everything null that depends on it.
func FuzzWire(f *testing.F) {
	seed := func(returns ...float64) {
		var b []byte
		for _, r := range returns {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(r))
		}
		f.Add(b, 2, 0.02, 10)
	}
	seed()
	seed(0.01)
	seed(0.01, -0.02, 0.03, -1, 0, 0.5)
	seed(0.01, math.NaN(), 0.03, 0.01)
	seed(-0.5, math.NaN(), math.NaN())
	seed(math.Inf(1), -1, math.Inf(-1), 0.1)
	seed(1e300, 1e300, -1e300, 1e-300, -0.9)
	seed(math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, data []byte, barsPerYear int, riskFree float64, trials int) {
		var returns []float64
		missing := false
		for ; len(data) >= 8 && len(returns) < 500; data = data[8:] {
			r := math.Float64frombits(binary.LittleEndian.Uint64(data))
			returns, missing = append(returns, r), missing || math.IsNaN(r)
		}
		s := weekdays(returns...)
		other := weekdays(append([]float64{}, returns...)...)
		block := metrics.Compute(s, metrics.Options{
			BarsPerYear: barsPerYear % 400, RiskFree: riskFree, Trials: trials, TrialSharpeVariance: riskFree,
			GrossExposure: returns, Traded: returns, Benchmark: &metrics.BenchmarkSeries{Series: other},
		})
		wire, err := json.Marshal(block)
		if err != nil || !json.Valid(wire) {
			t.Fatalf("block %s: %v", wire, err)
		}
		for name, bounds := range map[string][2]float64{
			"probabilistic_sharpe": {0, 1}, "deflated_sharpe": {0, 1}, "win_rate": {0, 1}, "positive_months": {0, 1},
			"time_in_market": {0, 1}, "ulcer_index": {0, math.Inf(1)}, "annual_volatility": {0, math.Inf(1)},
			"benchmark.r_squared": {0, 1}, "benchmark.correlation": {-1, 1}, "max_drawdown.value": {math.Inf(-1), 0},
			"omega": {0, math.Inf(1)}, "tail_ratio": {0, math.Inf(1)},
		} {
			if v, ok := said(t, block)[name]; ok && (v < bounds[0] || v > bounds[1]) {
				t.Errorf("%s is %v", name, v)
			}
		}
		if !missing {
			return
		}
		for name, v := range said(t, block) {
			if name != "window.sessions" && name != "window.years" {
				t.Errorf("%s is %v with a missing return", name, v)
			}
		}
		if len(block.Drawdowns) > 0 {
			t.Errorf("drawdowns %v with a missing return", block.Drawdowns)
		}
	})
}
