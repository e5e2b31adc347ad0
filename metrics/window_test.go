package metrics_test

import (
	"math"
	"testing"

	"ballast/metrics"
	"ballast/timeseries"

	"github.com/google/go-cmp/cmp"
)

// between returns the part of s after a base, up to and including an end.
func between(s timeseries.Series, base, end timeseries.Date) timeseries.Series {
	out := timeseries.Series{Base: base}
	for i, day := range s.Dates {
		if day > base && day <= end {
			out.Dates, out.Returns = append(out.Dates, day), append(out.Returns, s.Returns[i])
		}
	}
	return out
}

// A window that starts and ends in the middle of months and years. The values are those
// of NumPy 2.4.6 and pandas 3.1.1 on the same part of the oracle.
func TestWindowInTheMiddle(t *testing.T) {
	s, b := oracle()
	base, end := date(t, "2016-02-10"), date(t, "2018-08-17")
	block := metrics.Compute(between(s, base, end), metrics.Options{
		BarsPerYear: 252, Benchmark: &metrics.BenchmarkSeries{Symbol: "BENCH", Series: b}, // the whole series, which Compute cuts to the window
	})
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"sessions", float64(block.Window.Sessions), 657},
		{"years", float64(block.Window.Years), 919 / 365.25},
		{"total return", float64(block.TotalReturn), 0.18116293027389085},
		{"cagr", float64(block.CAGR), 0.06841264167753969},
		{"sharpe", float64(block.Sharpe), 0.6227985151249875},
		{"maximum drawdown", float64(block.MaxDrawdown.Value), -0.06267716356254605},
		{"the eleventh to the end of February 2016", float64(block.Monthly[0].Months[1]), 0.0023034455687160893},
		{"August 2018 to the seventeenth", float64(block.Monthly[2].Months[7]), -0.010477010417500487},
		{"2016", float64(block.Monthly[0].YearReturn), 0.04178675064592108},
		{"2017", float64(block.Monthly[1].YearReturn), 0.07287458898411425},
		{"2018", float64(block.Monthly[2].YearReturn), 0.05677375639668725},
		{"best month", float64(block.BestMonth), 0.022889813908256063},
		{"worst month", float64(block.WorstMonth), -0.03596892598056356},
		{"positive months", float64(block.PositiveMonths), 24.0 / 31},
		{"best year", float64(block.BestYear), 0.07287458898411425},
		{"worst year", float64(block.WorstYear), 0.04178675064592108},
		{"one year, lowest", float64(block.Rolling.OneYear.Min), 0.01624373787969846},
		{"one year, median", float64(block.Rolling.OneYear.Median), 0.05790007527676022},
		{"one year, highest", float64(block.Rolling.OneYear.Max), 0.07945661100445345},
		{"up capture", float64(block.Benchmark.UpCapture), 1.0396919273932017},
		{"down capture", float64(block.Benchmark.DownCapture), 0.7352570678728969},
		{"active return", float64(block.Benchmark.ActiveReturn), 0.01919929347266902},
	} {
		near(t, c.name, c.got, c.want, 1e-12)
	}
	var partial []bool
	empty := 0
	for _, year := range block.Monthly {
		partial = append(partial, year.Partial)
		for _, m := range year.Months {
			if math.IsNaN(float64(m)) {
				empty++
			}
		}
	}
	if diff := cmp.Diff([]bool{true, false, true}, partial); diff != "" {
		t.Errorf("partial years (-want +got):\n%s", diff)
	}
	if empty != 1+4 { // January 2016, September to December 2018
		t.Errorf("%d months without a session, want 5", empty)
	}
	if got := text(block.Window.Start) + " " + text(block.Window.End); got != "2016-02-11 2018-08-17" {
		t.Errorf("window %s", got)
	}
}

// The rolling windows of the whole oracle over one and three years, and the only one over
// five (NumPy 2.4.6).
func TestRollingOfTheOracle(t *testing.T) {
	s, _ := oracle()
	rolling := metrics.Compute(s, metrics.Options{BarsPerYear: 252}).Rolling
	for _, c := range []struct {
		name      string
		got, want metrics.Range
	}{
		{"one year", rolling.OneYear, metrics.Range{Min: 0.016243737879700015, Median: 0.06192435042816591, Max: 0.1977133601928185}},
		{"three years", rolling.ThreeYear, metrics.Range{Min: 0.05167879189885194, Median: 0.07567298701088654, Max: 0.1006543268465585}},
		{"five years", rolling.FiveYear, metrics.Range{Min: 0.09853573715419084, Median: 0.09853573715419084, Max: 0.09853573715419084}},
	} {
		near(t, c.name+", lowest", float64(c.got.Min), float64(c.want.Min), 1e-12)
		near(t, c.name+", median", float64(c.got.Median), float64(c.want.Median), 1e-12)
		near(t, c.name+", highest", float64(c.got.Max), float64(c.want.Max), 1e-12)
	}
}

// A window of a series must give the same block as a series that has only those days.
func TestWindowWithinOneMonth(t *testing.T) {
	s, b := oracle()
	cut := between(s, date(t, "2017-03-14"), date(t, "2017-03-17"))
	block := metrics.Compute(cut, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Symbol: "BENCH", Series: b}})
	if len(block.Monthly) != 1 || !block.Monthly[0].Partial || block.Monthly[0].Months[2] != block.TotalReturn || block.BestMonth != block.TotalReturn || block.WorstYear != block.TotalReturn {
		t.Errorf("monthly %+v of a total return of %v", block.Monthly, block.TotalReturn)
	}
	alone := metrics.Compute(cut, metrics.Options{Benchmark: &metrics.BenchmarkSeries{Symbol: "BENCH", Series: between(b, cut.Base, cut.Last())}})
	if diff := cmp.Diff(said(t, alone), said(t, block)); diff != "" {
		t.Errorf("a benchmark cut to the window differs (-want +got):\n%s", diff)
	}
}
