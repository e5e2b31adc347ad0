package metrics_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"ballast/metrics"
	"ballast/timeseries"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// drawSeries draws returns from −20 % to 25 % on ascending days with gaps.
func drawSeries(t *rapid.T, least int) timeseries.Series {
	returns := rapid.SliceOfN(rapid.Float64Range(-0.2, 0.25), least, 400).Draw(t, "returns")
	s := timeseries.Series{Base: timeseries.NewDate(2001, time.March, 1), Returns: returns}
	day := s.Base
	for range returns {
		day += timeseries.Date(rapid.IntRange(1, 40).Draw(t, "gap"))
		s.Dates = append(s.Dates, day)
	}
	return s
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeries(t, 2)
		b := metrics.Compute(s, metrics.Options{BarsPerYear: rapid.SampledFrom([]int{12, 252, 365}).Draw(t, "bars per year")})

		monthly, yearly := 1.0, 1.0
		for _, year := range b.Monthly {
			months := 1.0
			for _, m := range year.Months {
				if !math.IsNaN(float64(m)) {
					months *= 1 + float64(m)
				}
			}
			if !alike(months, 1+float64(year.YearReturn)) {
				t.Errorf("months of %d compound to %v, the year says %v", year.Year, months-1, year.YearReturn)
			}
			monthly *= months
			yearly *= 1 + float64(year.YearReturn)
		}
		if total := 1 + float64(b.TotalReturn); !alike(monthly, total) || !alike(yearly, total) {
			t.Errorf("months compound to %v, years to %v, the total return is %v", monthly-1, yearly-1, total-1)
		}
		// For a total return near −1 the remaining equity has lost its digits.
		if growth := math.Pow(1+float64(b.CAGR), float64(b.Window.Years)); b.CAGR > -1+1e-6 && !alike(growth, 1+float64(b.TotalReturn)) {
			t.Errorf("the CAGR compounds to %v, the total return is %v", growth-1, b.TotalReturn)
		}
		if b.MaxDrawdown.Value > 0 || b.MaxDrawdown.Value < -1 {
			t.Errorf("maximum drawdown %v", b.MaxDrawdown.Value)
		}
		if float64(b.UlcerIndex) > -float64(b.MaxDrawdown.Value)+1e-15 {
			t.Errorf("ulcer index %v above the maximum drawdown %v", b.UlcerIndex, b.MaxDrawdown.Value)
		}
		if b.ConditionalValueAtRisk5 > b.ValueAtRisk5+1e-15 {
			t.Errorf("conditional value at risk %v above value at risk %v", b.ConditionalValueAtRisk5, b.ValueAtRisk5)
		}
		if b.ConditionalValueAtRisk5 < b.WorstDay-1e-15 || b.WorstDay > b.BestDay {
			t.Errorf("worst day %v, conditional value at risk %v, best day %v", b.WorstDay, b.ConditionalValueAtRisk5, b.BestDay)
		}
		for _, r := range []metrics.Range{b.Rolling.OneYear, b.Rolling.ThreeYear, b.Rolling.FiveYear} {
			if r.Min > r.Median+1e-12 || r.Median > r.Max+1e-12 {
				t.Errorf("rolling %v out of order", r)
			}
		}
	})
}

func TestMomentsAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-0.2, 0.25), 4, 400).Draw(t, "x")
		m := metrics.MomentsOf(x)
		if math.IsNaN(m.Skewness) || m.Deviation < 1e-6 {
			t.Skip("values that hardly vary")
		}
		if mean, deviation := stat.MeanStdDev(x, nil); !alike(m.Mean, mean) || !alike(m.Deviation, deviation) {
			t.Errorf("mean %v and deviation %v, gonum says %v and %v", m.Mean, m.Deviation, mean, deviation)
		}
		if want := stat.Skew(x, nil); math.Abs(m.Skewness-want) > 1e-8*(1+math.Abs(want)) {
			t.Errorf("skewness %v, gonum says %v", m.Skewness, want)
		}
		if want := stat.ExKurtosis(x, nil); math.Abs(m.ExcessKurtosis-want) > 1e-8*(1+math.Abs(want)) {
			t.Errorf("kurtosis %v, gonum says %v", m.ExcessKurtosis, want)
		}
	})
}

func TestScalingReturnsScalesDispersionAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeries(t, 10)
		for i, r := range s.Returns {
			s.Returns[i] = math.Round(r*1e9) / 1e9 // so that halving does not turn a loss into rounding
		}
		if metrics.MomentsOf(s.Returns).Deviation < 1e-3 {
			t.Skip("values that hardly vary")
		}
		half := s
		half.Returns = make([]float64, len(s.Returns))
		for i, r := range s.Returns {
			half.Returns[i] = r / 2
		}
		other := &metrics.BenchmarkSeries{Symbol: "SELF", Series: s}
		a, b := metrics.Compute(s, metrics.Options{Benchmark: other}), metrics.Compute(half, metrics.Options{Benchmark: other})
		for name, pair := range map[string][2]float64{
			"volatility":      {float64(a.AnnualVolatility) / 2, float64(b.AnnualVolatility)},
			"value at risk":   {float64(a.ValueAtRisk5) / 2, float64(b.ValueAtRisk5)},
			"sharpe":          {float64(a.Sharpe), float64(b.Sharpe)},
			"sortino":         {float64(a.Sortino), float64(b.Sortino)},
			"omega":           {float64(a.Omega), float64(b.Omega)},
			"skewness":        {float64(a.Skewness), float64(b.Skewness)},
			"excess kurtosis": {float64(a.ExcessKurtosis), float64(b.ExcessKurtosis)},
			"win rate":        {float64(a.WinRate), float64(b.WinRate)},
			"beta":            {float64(a.Benchmark.Beta) / 2, float64(b.Benchmark.Beta)},
			"correlation":     {float64(a.Benchmark.Correlation), float64(b.Benchmark.Correlation)},
		} {
			if !(alike(pair[0], pair[1]) || math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Errorf("%s: %v expected, %v found", name, pair[0], pair[1])
			}
		}
	})
}

func TestTailsAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-0.2, 0.25), rapid.SampledFrom([]float64{-0.1, 0, 0.1})), 2, 2000).Draw(t, "x")
		before := slices.Clone(x)
		got := metrics.TailsOf(x, make([]float64, len(x)))
		if !slices.Equal(before, x) {
			t.Fatal("the returns were reordered")
		}
		sorted := slices.Sorted(slices.Values(x))
		quantile := func(p float64) float64 {
			at := p * float64(len(x)-1)
			k := int(at)
			if k+1 == len(x) {
				return sorted[k]
			}
			return sorted[k] + (at-float64(k))*(sorted[k+1]-sorted[k])
		}
		worst := 0.0
		k := int(0.05*float64(len(x)-1)) + 1
		for _, v := range sorted[:k] {
			worst += v
		}
		if !alike(got.ValueAtRisk, quantile(0.05)) || !alike(got.ConditionalValueAtRisk, worst/float64(k)) {
			t.Errorf("tails %+v, sorting gives %v and %v", got, quantile(0.05), worst/float64(k))
		}
		if low := quantile(0.05); math.Abs(low) > 1e-3 && !alike(got.Ratio, math.Abs(quantile(0.95)/low)) {
			t.Errorf("tail ratio %v, sorting gives %v", got.Ratio, math.Abs(quantile(0.95)/low))
		}
	})
}

// The input is shared, so Compute must not change it and must give the same result when
// called again.
func TestComputeLeavesItsInputAlone(t *testing.T) {
	s, b := oracle()
	returns, bench := slices.Clone(s.Returns), slices.Clone(b.Returns)
	opt := metrics.Options{Benchmark: &metrics.BenchmarkSeries{Series: b}}
	first, err := json.Marshal(metrics.Compute(s, opt))
	if err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(metrics.Compute(s, opt))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(first), string(second)); diff != "" {
		t.Errorf("two blocks of one series differ:\n%s", diff)
	}
	if !slices.Equal(returns, s.Returns) || !slices.Equal(bench, b.Returns) {
		t.Error("the input was changed")
	}
}

func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func TestEquityEndsAtTheTotalReturn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeries(t, 0)
		equity := metrics.Equity(nil, s.Returns)
		total := float64(metrics.Compute(s, metrics.Options{}).TotalReturn)
		if len(s.Returns) == 0 {
			if !math.IsNaN(total) || !math.IsNaN(metrics.TotalReturn(nil)) {
				t.Errorf("total return of nothing is %v", total)
			}
			return
		}
		if want := metrics.TotalReturn(s.Returns); total != want || equity[len(equity)-1]-1 != want || equity[0] != 1 {
			t.Errorf("total return %v, equity ends at %v, the product says %v", total, equity[len(equity)-1], want)
		}
	})
}

// A benchmark on any calendar, compounded onto the sessions of a series, must have the
// same growth as on its own days.
func TestBenchmarkOnAnyCalendarKeepsItsGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		other := drawSeries(t, 1)
		end := other.Last()
		// Sessions on days of another calendar that share the first and the last day with
		// the benchmark; on each, the benchmark's own return since the previous session.
		s := timeseries.Series{Base: other.Base}
		b := 0
		for day := s.Base; day < end; {
			day = min(end, day+timeseries.Date(rapid.IntRange(1, 30).Draw(t, "step")))
			growth := 1.0
			for ; b < len(other.Dates) && other.Dates[b] <= day; b++ {
				growth *= 1 + other.Returns[b]
			}
			s.Dates, s.Returns = append(s.Dates, day), append(s.Returns, growth-1)
		}
		against := &metrics.BenchmarkSeries{Symbol: "OTHER", Series: other}
		if err := metrics.Comparable(s, against); err != nil {
			t.Fatal(err)
		}
		got := metrics.Compute(s, metrics.Options{Benchmark: against}).Benchmark
		if e := float64(got.TrackingError); e > 1e-12 {
			t.Errorf("tracking error %v of a series that is the benchmark", e)
		}
		if a := float64(got.ActiveReturn); math.Abs(a) > 1e-9*max(1, math.Abs(float64(metrics.Compute(s, metrics.Options{}).CAGR))) {
			t.Errorf("active return %v of a series that is the benchmark", a)
		}
	})
}
