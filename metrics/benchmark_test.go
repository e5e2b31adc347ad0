package metrics_test

import (
	"math"
	"testing"
	"time"

	"ballast/metrics"
	"ballast/timeseries"
)

// daily returns a series on every day after base.
func daily(base timeseries.Date, returns ...float64) timeseries.Series {
	s := timeseries.Series{Base: base, Returns: returns}
	for i := range returns {
		s.Dates = append(s.Dates, base+timeseries.Date(i+1))
	}
	return s
}

func TestBenchmarkOnAnotherCalendar(t *testing.T) {
	// The returns from Friday to Tuesday compound onto Friday, Monday and Tuesday.
	thursday := timeseries.NewDate(2024, time.January, 4)
	model := timeseries.Series{
		Base:    thursday,
		Dates:   []timeseries.Date{thursday + 1, thursday + 4, thursday + 5},
		Returns: []float64{0.1, 1.1*0.8*1.3 - 1, 0.05},
	}
	coin := daily(thursday-2, 0.3, 0.2, 0.1, 0.1, -0.2, 0.3, 0.05, 0.4)
	got := metrics.Compute(model, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Symbol: "COIN", Series: coin}}).Benchmark
	if got.Symbol != "COIN" {
		t.Errorf("symbol %q", got.Symbol)
	}
	near(t, "beta", float64(got.Beta), 1, 1e-12)
	near(t, "correlation", float64(got.Correlation), 1, 1e-12)
	near(t, "tracking error", float64(got.TrackingError), 0, 0)
	near(t, "active return", float64(got.ActiveReturn), 0, 1e-3) // of a rate of 6e8 a year
	near(t, "up capture", float64(got.UpCapture), 1, 1e-12)
	if !math.IsNaN(float64(got.DownCapture)) {
		t.Errorf("down capture %v without a month in which the benchmark fell, want NaN", got.DownCapture)
	}
}

func TestBenchmarkWithoutABarOnASession(t *testing.T) {
	base := timeseries.NewDate(2024, time.January, 7)
	model := daily(base, 0.1, 0, 0.2, -0.1)
	exchange := timeseries.Series{ // closed on the second day
		Base:    base,
		Dates:   []timeseries.Date{base + 1, base + 3, base + 4},
		Returns: []float64{0.1, 0.2, -0.1},
	}
	got := metrics.Compute(model, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Series: exchange}}).Benchmark
	near(t, "beta", float64(got.Beta), 1, 1e-12)
	near(t, "active return", float64(got.ActiveReturn), 0, 1e-9)
}

func TestBenchmarkOverTheSessionsThatBothCover(t *testing.T) {
	base := timeseries.NewDate(2024, time.January, 7)
	model := daily(base, 0.9, 0.1, 0.2, -0.1, 0.7)
	late := daily(base+1, 0.1, 0.2, -0.1) // starts a day later and ends a day earlier
	got := metrics.Compute(model, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Series: late}}).Benchmark
	near(t, "beta", float64(got.Beta), 1, 1e-12)
	near(t, "alpha", float64(got.Alpha), 0, 1e-9)
	near(t, "active return", float64(got.ActiveReturn), 0, 1e-9)
}

func TestBenchmarkThatCannotBeCompared(t *testing.T) {
	base := timeseries.NewDate(2024, time.January, 7)
	model := daily(base, 0.1, -0.1, 0.3)
	for _, c := range []struct {
		name  string
		other timeseries.Series
	}{
		{"without a bar", timeseries.Series{Base: timeseries.NoDate}},
		{"a base alone", timeseries.Series{Base: base}},
		{"over before the model begins", daily(base-20, 0.1, 0.2)},
		{"begins after the model's end", daily(base+20, 0.1, 0.2)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := metrics.Compute(model, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Symbol: "X", Series: c.other}}).Benchmark
			for name, v := range map[string]float64{
				"beta": float64(got.Beta), "alpha": float64(got.Alpha), "r squared": float64(got.RSquared),
				"correlation": float64(got.Correlation), "tracking error": float64(got.TrackingError),
				"information ratio": float64(got.InformationRatio), "up": float64(got.UpCapture),
				"down": float64(got.DownCapture), "active": float64(got.ActiveReturn),
			} {
				if !math.IsNaN(v) {
					t.Errorf("%s = %v, want NaN", name, v)
				}
			}
		})
	}
}

func TestMonthsThatEndWhereTheyBegan(t *testing.T) {
	// Prices like those of a fund of bills: they come back to their old level, and the
	// product of the returns misses 1 by rounding, in either direction.
	fund := timeseries.Series{Base: timeseries.NewDate(2023, time.December, 29)}
	fell, rose := false, false
	for month := time.January; month <= time.December; month++ {
		first := 91.01 + float64(month)/8
		prices := []float64{first, first + 0.01, first + 0.03, first}
		if month == time.June {
			prices[3] = first + 0.5
		}
		growth := 1.0
		for i := 1; i < len(prices); i++ {
			r := prices[i]/prices[i-1] - 1
			growth *= 1 + r
			fund.Dates = append(fund.Dates, timeseries.NewDate(2024, month, 10+i))
			fund.Returns = append(fund.Returns, r)
		}
		fell, rose = fell || growth < 1, rose || month != time.June && growth > 1
	}
	if !fell || !rose {
		t.Fatal("there is no rounding error to test")
	}
	block := metrics.Compute(fund, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Symbol: "SAME", Series: fund}})
	near(t, "positive months", float64(block.PositiveMonths), 1.0/12, 0)
	near(t, "up capture", float64(block.Benchmark.UpCapture), 1, 1e-12)
	if down := float64(block.Benchmark.DownCapture); !math.IsNaN(down) {
		t.Errorf("down capture %v without a month in which the benchmark fell, want NaN", down)
	}

	double := fund
	double.Returns = append([]float64(nil), fund.Returns...)
	for i := range double.Returns {
		double.Returns[i] *= 2
	}
	june := metrics.Months(fund.Dates, fund.Returns)[5].Growth
	ours := metrics.Months(double.Dates, double.Returns)[5].Growth
	got := metrics.Compute(double, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Symbol: "FUND", Series: fund}}).Benchmark
	// Of the one month in which the fund rose, by hand.
	near(t, "up capture of twice the fund", float64(got.UpCapture), (math.Pow(ours, 12)-1)/(math.Pow(june, 12)-1), 1e-9)
}

func TestTurnoverAndExposure(t *testing.T) {
	s := weekdays(make([]float64, 5)...)
	block := metrics.Compute(s, metrics.Options{
		GrossExposure: []float64{0, 1, 1.5, 1, 0},
		Traded:        []float64{0, 0.5, 0, 1.5, 0},
	})
	near(t, "turnover", float64(block.Turnover), 1/(7/365.25), 1e-12)
	near(t, "mean exposure", float64(block.GrossExposure.Mean), 0.7, 1e-15)
	near(t, "largest exposure", float64(block.GrossExposure.Max), 1.5, 0)
	near(t, "time in market", float64(block.TimeInMarket), 0.6, 0)
}
