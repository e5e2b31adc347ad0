package metrics_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"ballast/metrics"
	"ballast/timeseries"

	"github.com/google/go-cmp/cmp"
)

// weekdays returns a series on the weekdays after Monday 2024-01-01.
func weekdays(returns ...float64) timeseries.Series {
	s := timeseries.Series{Base: timeseries.NewDate(2024, time.January, 1), Returns: returns}
	day := s.Base
	for range returns {
		for day++; day.Weekday() == time.Saturday || day.Weekday() == time.Sunday; day++ {
		}
		s.Dates = append(s.Dates, day)
	}
	return s
}

// said returns the values of a block that are not null, by their path.
func said(t *testing.T, block *metrics.Block) map[string]float64 {
	t.Helper()
	b, err := json.Marshal(block)
	if err != nil {
		t.Fatalf("marshal: %v", err)
	}
	var tree map[string]any
	if err := json.Unmarshal(b, &tree); err != nil {
		t.Fatalf("unmarshal: %v", err)
	}
	delete(tree, "conventions")
	figures := map[string]float64{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, child := range v {
				walk(strings.TrimPrefix(path+"."+k, "."), child)
			}
		case float64:
			figures[path] = v
		}
	}
	walk("", tree)
	return figures
}

func TestDegenerateSeries(t *testing.T) {
	day := 1 / 365.25
	for _, c := range []struct {
		name   string
		series timeseries.Series
		want   map[string]float64 // every value that is defined; calendar and compounding by hand
	}{
		{"no bar at all", timeseries.Series{Base: timeseries.NoDate}, map[string]float64{"window.sessions": 0}},
		{"a base alone", weekdays(), map[string]float64{"window.sessions": 0}},
		{"one return", weekdays(-0.01), map[string]float64{
			"window.sessions": 1, "window.years": day,
			"total_return": -0.01, "cagr": math.Pow(0.99, 365.25) - 1,
			"max_drawdown.value": -0.01, "max_drawdown.days": 1, "ulcer_index": 0.01,
			"win_rate": 0, "positive_months": 0,
			"best_day": -0.01, "worst_day": -0.01, "best_month": -0.01, "worst_month": -0.01, "best_year": -0.01, "worst_year": -0.01,
		}},
		{"two returns, one of them a loss", weekdays(0.5, -0.5), map[string]float64{
			"window.sessions": 2, "window.years": 2 * day,
			"total_return": -0.25, "cagr": math.Pow(0.75, 365.25/2) - 1,
			"annual_volatility": math.Sqrt(0.5) * math.Sqrt(252), "sharpe": 0, "sortino": 0, "omega": 1,
			"calmar":             (math.Pow(0.75, 365.25/2) - 1) / 0.5,
			"max_drawdown.value": -0.5, "max_drawdown.days": 1,
			"ulcer_index": math.Sqrt(0.125), "ulcer_performance_index": (math.Pow(0.75, 365.25/2) - 1) / math.Sqrt(0.125),
			"value_at_risk_5": -0.45, "conditional_value_at_risk_5": -0.5, "tail_ratio": 1,
			"win_rate": 0.5, "positive_months": 0,
			"best_day": 0.5, "worst_day": -0.5, "best_month": -0.25, "worst_month": -0.25, "best_year": -0.25, "worst_year": -0.25,
		}},
		{"all zero", weekdays(0, 0, 0, 0), map[string]float64{
			"window.sessions": 4, "window.years": 4 * day,
			"total_return": 0, "cagr": 0, "annual_volatility": 0,
			"max_drawdown.value": 0, "ulcer_index": 0, "value_at_risk_5": 0, "conditional_value_at_risk_5": 0,
			"win_rate": 0, "positive_months": 0,
			"best_day": 0, "worst_day": 0, "best_month": 0, "worst_month": 0, "best_year": 0, "worst_year": 0,
		}},
		{"constant", weekdays(0.25, 0.25, 0.25, 0.25), map[string]float64{
			"window.sessions": 4, "window.years": 4 * day,
			"total_return": 1.44140625, "cagr": math.Pow(2.44140625, 365.25/4) - 1, "annual_volatility": 0,
			"max_drawdown.value": 0, "ulcer_index": 0, "value_at_risk_5": 0.25, "conditional_value_at_risk_5": 0.25, "tail_ratio": 1,
			"win_rate": 1, "positive_months": 1,
			"best_day": 0.25, "worst_day": 0.25, "best_month": 1.44140625, "worst_month": 1.44140625, "best_year": 1.44140625, "worst_year": 1.44140625,
		}},
		{"everything lost", weekdays(0, -1, 0, 0), map[string]float64{
			"window.sessions": 4, "window.years": 4 * day,
			"total_return": -1, "cagr": -1, "annual_volatility": 0.5 * math.Sqrt(252),
			"probabilistic_sharpe": math.Erfc(1) / 2, // Φ(−0.5·√3/√(1 − 1 + 1.5·0.25)) = Φ(−√2)
			"sharpe":               -0.5 * math.Sqrt(252), "sortino": -0.5 * math.Sqrt(252), "omega": 0, "calmar": -1,
			"skewness": -2, "excess_kurtosis": 4, // G1 and G2 of (0, −1, 0, 0)
			"max_drawdown.value": -1, "max_drawdown.days": 3, // from the 2nd, the last session at the high, to the 5th
			"ulcer_index": math.Sqrt(0.75), "ulcer_performance_index": -1 / math.Sqrt(0.75),
			"value_at_risk_5": -0.85, "conditional_value_at_risk_5": -1, "tail_ratio": 0,
			"win_rate": 0, "positive_months": 0,
			"best_day": 0, "worst_day": -1, "best_month": -1, "worst_month": -1, "best_year": -1, "worst_year": -1,
		}},
		{"more than everything lost", weekdays(-1.5), map[string]float64{
			"window.sessions": 1, "window.years": day, "total_return": -1.5,
			"max_drawdown.value": -1.5, "max_drawdown.days": 1, "ulcer_index": 1.5,
			"win_rate": 0, "positive_months": 0,
			"best_day": -1.5, "worst_day": -1.5, "best_month": -1.5, "worst_month": -1.5, "best_year": -1.5, "worst_year": -1.5,
		}},
		{"all at 0 but one", weekdays(0, 0, 0, 0.02), map[string]float64{
			"window.sessions": 4, "window.years": 4 * day,
			"total_return": 0.02, "cagr": math.Pow(1.02, 365.25/4) - 1, "annual_volatility": 0.01 * math.Sqrt(252),
			"sharpe": 0.5 * math.Sqrt(252), "skewness": 2, "excess_kurtosis": 4, // and no loss to divide by
			"probabilistic_sharpe": math.Erfc(-1) / 2, // Φ(√2), as everything lost above with the other sign
			"max_drawdown.value":   0, "ulcer_index": 0, "value_at_risk_5": 0, "conditional_value_at_risk_5": 0,
			"win_rate": 0.25, "positive_months": 1,
			"best_day": 0.02, "worst_day": 0, "best_month": 0.02, "worst_month": 0.02, "best_year": 0.02, "worst_year": 0.02,
		}},
		{"out of range", weekdays(1e200, 1e200, -0.5, 1e200), map[string]float64{
			// Equity is infinite from the second day on. Nothing that divides by it,
			// or by a deviation of 1e200 squared is 0.
			"window.sessions": 4, "window.years": 4 * day, "omega": 3e200 / 0.5, "sortino": 0.75e200 / 0.25 * math.Sqrt(252),
			"value_at_risk_5": -0.5 + 0.15*1e200, "conditional_value_at_risk_5": -0.5, "tail_ratio": 1 / 0.15,
			"win_rate": 0.75, "positive_months": 1, "best_day": 1e200, "worst_day": -0.5,
		}},
		{"out of range at a loss", weekdays(1e200, -1e200, 1e200), map[string]float64{
			"window.sessions": 3, "window.years": 3 * day, "omega": 2,
			"value_at_risk_5": -0.8e200, "conditional_value_at_risk_5": -1e200, "tail_ratio": 1 / 0.8,
			"win_rate": 2.0 / 3, "positive_months": 0, "best_day": 1e200, "worst_day": -1e200,
		}},
		{"infinite", weekdays(math.Inf(1), 0.01, -0.02), map[string]float64{
			"window.sessions": 3, "window.years": 3 * day,
			"value_at_risk_5": -0.02 + 0.1*0.03, "conditional_value_at_risk_5": -0.02,
			"win_rate": 2.0 / 3, "positive_months": 1, "worst_day": -0.02,
		}},
		{"not a number", weekdays(0.01, math.NaN(), 0.02), map[string]float64{
			"window.sessions": 3, "window.years": 3 * day,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := said(t, metrics.Compute(c.series, metrics.Options{BarsPerYear: 252}))
			same := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a)) })
			if diff := cmp.Diff(c.want, got, same); diff != "" {
				t.Errorf("figures (-want +got):\n%s", diff)
			}
		})
	}
}

func TestConstantUpToRounding(t *testing.T) {
	for _, c := range []struct {
		name     string
		growth   float64 // of a session
		sessions int
	}{
		{"a basis point a day", 1.0001, 600},
		{"half a day", 0.5, 200},
		{"a hundred thousand times a day", 1e5, 60}, // rounded in proportion
	} {
		t.Run(c.name, func(t *testing.T) {
			constantUpToRounding(t, c.growth, c.sessions)
		})
	}
}

// constantUpToRounding tests steady growth as computed from prices, with rounding
// errors.
func constantUpToRounding(t *testing.T, growth float64, sessions int) {
	t.Helper()
	s := weekdays(make([]float64, sessions)...)
	price := 100.0
	for i := range s.Returns {
		next := price * growth
		s.Returns[i] = next/price - 1
		price = next
	}
	block := metrics.Compute(s, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Symbol: "SAME", Series: s}})
	for name, figure := range map[string]float64{
		"sharpe": float64(block.Sharpe), "skewness": float64(block.Skewness), "excess kurtosis": float64(block.ExcessKurtosis),
		"probabilistic sharpe": float64(block.ProbabilisticSharpe),
		"beta":                 float64(block.Benchmark.Beta), "correlation": float64(block.Benchmark.Correlation),
		"information ratio": float64(block.Benchmark.InformationRatio),
	} {
		if !math.IsNaN(figure) {
			t.Errorf("%s = %v, want NaN", name, figure)
		}
	}
	if block.AnnualVolatility != 0 || block.Benchmark.TrackingError != 0 {
		t.Errorf("volatility %v and tracking error %v, want 0", block.AnnualVolatility, block.Benchmark.TrackingError)
	}
}

func TestSteadyGrowthAtTheRisklessRate(t *testing.T) {
	s := weekdays(make([]float64, 600)...)
	price := 100.0
	for i := range s.Returns {
		next := price * 1.0001
		s.Returns[i] = next/price - 1
		price = next
	}
	block := metrics.Compute(s, metrics.Options{RiskFree: math.Pow(1.0001, 252) - 1})
	for name, figure := range map[string]float64{
		"sortino": float64(block.Sortino), "calmar": float64(block.Calmar), "omega": float64(block.Omega),
	} {
		if !math.IsNaN(figure) {
			t.Errorf("%s = %v, want NaN", name, figure)
		}
	}
}

func TestComputePanicsOnMismatch(t *testing.T) {
	for name, run := range map[string]func(){
		"dates":    func() { metrics.Compute(timeseries.Series{Returns: []float64{1}}, metrics.Options{}) },
		"exposure": func() { metrics.Compute(weekdays(0.1), metrics.Options{GrossExposure: []float64{}}) },
		"traded":   func() { metrics.Compute(weekdays(0.1), metrics.Options{Traded: []float64{0, 0}}) },
		"months":   func() { metrics.Months(nil, []float64{1}) },
		"scratch":  func() { metrics.TailsOf([]float64{1, 2}, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			run()
		})
	}
}
