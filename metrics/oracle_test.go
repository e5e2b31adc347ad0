package metrics_test

import (
	"math"
	"testing"
	"time"

	"ballast/metrics"
	"ballast/timeseries"

	"github.com/google/go-cmp/cmp"
)

// oracle is a series that any machine can regenerate: business days from 2015-01-02 on,
// with a benchmark. The values below were computed by the libraries named in the cases,
// not by this package.
func oracle() (series, benchmark timeseries.Series) {
	series.Base = timeseries.NewDate(2015, time.January, 1)
	benchmark.Base = series.Base
	day := series.Base
	for t := 1.0; t <= 1260; t++ {
		for day++; day.Weekday() == time.Saturday || day.Weekday() == time.Sunday; day++ {
		}
		b := 0.0004 + 0.010*math.Sin(1.7*t) + 0.004*math.Sin(0.013*t*t)
		r := 0.0001 + 0.8*b + 0.005*math.Sin(2.3*t+0.5)
		series.Dates = append(series.Dates, day)
		series.Returns = append(series.Returns, r)
		benchmark.Dates = append(benchmark.Dates, day)
		benchmark.Returns = append(benchmark.Returns, b)
	}
	return series, benchmark
}

func TestOracleSeries(t *testing.T) {
	s, b := oracle()
	near(t, "r(1)", s.Returns[0], 0.010069858062675841, 1e-16)
	near(t, "b(1)", b.Returns[0], 0.010368646639870395, 1e-16)
	near(t, "Σr", sum(s.Returns), 0.5016823346436778, 1e-13)
	near(t, "Σb", sum(b.Returns), 0.4664528758663449, 1e-13)
	if got := s.Last().String(); got != "2019-10-31" {
		t.Errorf("last session %s, want 2019-10-31", got)
	}
}

func TestComputeAgainstPeers(t *testing.T) {
	s, b := oracle()
	opt := metrics.Options{BarsPerYear: 252, Benchmark: &metrics.BenchmarkSeries{Symbol: "BENCH", Series: b}}
	block := metrics.Compute(s, opt)
	opt.RiskFree = 0.02
	rf := metrics.Compute(s, opt)

	for _, c := range []struct {
		name, source string
		got          float64
		want         float64
		tolerance    float64 // the precision of the source
	}{
		{"total return", "all", float64(block.TotalReturn), 0.599819363389, 1e-12},
		{"cagr", "ffn 1.2.0 calc_cagr", float64(block.CAGR), 0.102184975086, 1e-12},
		{"volatility", "empyrical, quantstats", float64(block.AnnualVolatility), 0.112666791503, 1e-12},
		{"sharpe", "quantstats, empyrical", float64(block.Sharpe), 0.890559370606, 1e-12},
		{"sharpe rf 2 %", "quantstats, empyrical", float64(rf.Sharpe), 0.714789695123, 1e-12},
		{"sortino", "empyrical, quantstats", float64(block.Sortino), 1.31050204391, 1e-11},
		{"sortino rf 2 %", "empyrical, quantstats", float64(rf.Sortino), 1.042201842, 1e-9},
		{"maximum drawdown", "all", float64(block.MaxDrawdown.Value), -0.0626771635625, 1e-12},
		{"calmar", "ffn", float64(block.Calmar), 1.63033821695, 1e-11},
		{"ulcer index", "PerformanceAnalytics", float64(block.UlcerIndex), 0.0180804407253, 1e-12},
		{"ulcer performance index", "Martin's definition", float64(block.UlcerPerformanceIndex), 5.651686075524, 1e-11},
		{"omega", "empyrical, quantstats", float64(block.Omega), 1.14564264676, 1e-11},
		{"tail ratio", "empyrical, quantstats", float64(block.TailRatio), 1.00619323404, 1e-11},
		{"value at risk", "empyrical", float64(block.ValueAtRisk5), -0.0118048343595, 1e-12},
		{"conditional value at risk", "empyrical", float64(block.ConditionalValueAtRisk5), -0.0134151731099, 1e-12},
		{"skewness", "pandas, quantstats", float64(block.Skewness), -0.0388482202478, 1e-12},
		{"excess kurtosis", "pandas, quantstats", float64(block.ExcessKurtosis), -0.669925280661, 1e-12},
		{"beta", "quantstats, empyrical", float64(block.Benchmark.Beta), 0.804068893989, 1e-12},
		{"r squared", "quantstats, empyrical", float64(block.Benchmark.RSquared), 0.751679980205, 1e-12},
		{"alpha", "quantstats greeks", float64(block.Benchmark.Alpha), 0.0253244173296, 1e-12},
		{"tracking error", "PerformanceAnalytics", float64(block.Benchmark.TrackingError), 0.0609810222198, 1e-12},
		{"information ratio", "quantstats × √252", float64(block.Benchmark.InformationRatio), 0.115542368740, 1e-12},
		{"up capture", "empyrical, period monthly", float64(block.Benchmark.UpCapture), 0.990513176406, 1e-12},
		{"down capture", "empyrical, period monthly", float64(block.Benchmark.DownCapture), 0.767558630390, 1e-12},
		{"best month", "ffn", float64(block.BestMonth), 0.0600228745492, 1e-12},
		{"worst month", "ffn", float64(block.WorstMonth), -0.0460473357449, 1e-12},
		{"2015", "empyrical aggregate_returns", float64(block.Monthly[0].YearReturn), 0.190381046, 1e-9},
		{"2016", "empyrical aggregate_returns", float64(block.Monthly[1].YearReturn), 0.048332202, 1e-9},
		{"2017", "empyrical aggregate_returns", float64(block.Monthly[2].YearReturn), 0.072874589, 1e-9},
		{"2018", "empyrical aggregate_returns", float64(block.Monthly[3].YearReturn), 0.057794700, 1e-9},
		{"2019", "empyrical aggregate_returns", float64(block.Monthly[4].YearReturn), 0.129628584, 1e-9},
	} {
		near(t, c.name+" ("+c.source+")", c.got, c.want, c.tolerance)
	}

	// These follow from the dates: 1764 calendar days from the base to the end.
	type dates struct{ Peak, Valley, Recovery, Start, End string }
	got := dates{
		text(block.MaxDrawdown.Peak), text(block.MaxDrawdown.Valley), text(block.MaxDrawdown.Recovery),
		text(block.Window.Start), text(block.Window.End),
	}
	want := dates{"2016-10-21", "2016-11-23", "2017-05-11", "2015-01-02", "2019-10-31"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dates (-want +got):\n%s", diff)
	}
	near(t, "years", float64(block.Window.Years), 1764/365.25, 1e-15)
	if len(block.Drawdowns) != 5 {
		t.Errorf("%d drawdowns listed, want 5", len(block.Drawdowns))
	}
	var partial []int
	for _, year := range block.Monthly {
		if year.Partial {
			partial = append(partial, year.Year)
		}
	}
	// The base is a weekday of 2015, so the return of its first session is missing.
	if diff := cmp.Diff([]int{2015, 2019}, partial); diff != "" {
		t.Errorf("partial years (-want +got):\n%s", diff)
	}
}

func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.15g, want %.15g (off by %.3g)", name, got, want, got-want)
	}
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

func text(d *timeseries.Date) string {
	if d == nil {
		return "null"
	}
	return d.String()
}
