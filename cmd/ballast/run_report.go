package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/metrics"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// report prints metrics and warnings.
func (r *localRun) report(p *script.Script, outcome *sandbox.Outcome, frame *timeseries.Frame, market *localMarket) error {
	series, gross, traded, err := dailyColumns(outcome.Daily())
	if err != nil {
		return err
	}
	o := metrics.Options{BarsPerYear: frame.BarsPerYear, RiskFree: r.riskFree, GrossExposure: gross, Traded: traded}
	if r.benchmark != "" {
		if o.Benchmark, err = market.benchmark(r.benchmark); err != nil {
			return err
		}
		if err := metrics.Comparable(series, o.Benchmark); err != nil {
			return err
		}
	}
	block := metrics.Compute(series, o)
	for _, line := range outcome.Log {
		fmt.Fprintln(r.errs, "log:", line)
	}
	for _, w := range outcome.Summary.Warnings {
		fmt.Fprintln(r.errs, "warning:", w.Message)
	}
	if r.json {
		encoder := json.NewEncoder(r.out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(block)
	}
	equity := []float64{1}
	for _, v := range series.Returns {
		equity = append(equity, equity[len(equity)-1]*(1+v))
	}
	w := tabwriter.NewWriter(r.out, 2, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s\n", p.Name, sparkline(equity, 48))
	fmt.Fprintf(w, "window\t%s to %s, %d sessions (base %s)\n", outcome.Summary.StartDate, outcome.Summary.EndDate, len(series.Dates), series.Base)
	for _, f := range figures(block) {
		fmt.Fprintf(w, "%s\t%s\n", f.name, f)
	}
	if b := block.Benchmark; b != nil {
		fmt.Fprintf(w, "against %s\t\n", b.Symbol)
		for _, f := range comparison(b) {
			fmt.Fprintf(w, "  %s\t%s\n", f.name, f)
		}
	}
	fmt.Fprintf(w, "decisions\t%d\n", outcome.Summary.Decisions.Count)
	fmt.Fprintf(w, "processor time\t%s\n", outcome.CPU.Round(10*time.Microsecond))
	return w.Flush()
}

// figure is one line of the table.
type figure struct {
	name    string
	value   float64
	percent bool
}

// String formats the value; - stands for an undefined one.
func (f figure) String() string {
	switch v := f.value; {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "-"
	case f.percent:
		return fmt.Sprintf("%.2f %%", 100*v)
	default:
		return fmt.Sprintf("%.3f", v)
	}
}

func figures(b *metrics.Block) []figure {
	return []figure{
		{"total return", float64(b.TotalReturn), true}, {"CAGR", float64(b.CAGR), true},
		{"annual volatility", float64(b.AnnualVolatility), true}, {"Sharpe", float64(b.Sharpe), false},
		{"Sortino", float64(b.Sortino), false}, {"max drawdown", float64(b.MaxDrawdown.Value), true},
		{"Calmar", float64(b.Calmar), false}, {"annual turnover", float64(b.Turnover), true},
	}
}

func comparison(b *metrics.Benchmark) []figure {
	return []figure{
		{"active return", float64(b.ActiveReturn), true}, {"tracking error", float64(b.TrackingError), true}, {"information ratio", float64(b.InformationRatio), false},
		{"beta", float64(b.Beta), false}, {"alpha", float64(b.Alpha), true}, {"correlation", float64(b.Correlation), false},
		{"up capture", float64(b.UpCapture), true}, {"down capture", float64(b.DownCapture), true},
	}
}

// benchmark returns the returns of the symbol that the model is compared with.
func (m *localMarket) benchmark(symbol string) (*metrics.BenchmarkSeries, error) {
	symbol = strings.ToUpper(symbol)
	b, ok := m.series[symbol]
	if !ok {
		return nil, fmt.Errorf("benchmark %s: no such symbol in the files; they have %s", symbol, m.some())
	}
	return &metrics.BenchmarkSeries{Symbol: symbol, Series: b.Series}, nil
}

// dailyColumns reads what the metrics need from a daily table.
func dailyColumns(t arrow.RecordBatch) (s timeseries.Series, gross, traded []float64, err error) {
	column := func(name string) []float64 {
		indices := t.Schema().FieldIndices(name)
		if len(indices) == 1 {
			if c, ok := t.Column(indices[0]).(*array.Float64); ok && c.Len() > 0 {
				return c.Float64Values()[1:]
			}
		}
		err = fmt.Errorf("the result has no column %s", name)
		return nil
	}
	dates, ok := t.Column(0).(*array.Date32)
	if !ok || dates.Len() == 0 {
		return s, nil, nil, errors.New("the result has no dates")
	}
	s.Base = timeseries.Date(dates.Value(0))
	for _, d := range dates.Date32Values()[1:] {
		s.Dates = append(s.Dates, timeseries.Date(d))
	}
	s.Returns = column("return")
	return s, column("gross_exposure"), column("traded"), err
}
