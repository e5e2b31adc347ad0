package web

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

// yearRow is a year of monthly returns.
type yearRow struct {
	Year    int
	Months  [12]cellOfYear
	Whole   string
	Partial bool // the result covers only part of the year
}

// cellOfYear is a value and the class of its colour.
type cellOfYear struct{ Text, Class string }

// heat is the class of a cell's colour: the stronger, the closer a return is to full.
func heat(v, full float64) string {
	if math.IsNaN(v) {
		return ""
	}
	level := strconv.Itoa(int(min(math.Ceil(5*math.Abs(v)/full), 5)))
	if v < 0 {
		return "down" + level
	}
	return "up" + level
}

// benchmarkTable compares a result with a benchmark.
type benchmarkTable struct {
	Symbol  string
	Figures []figure
}

// benchmarkOf returns nil if the history has no benchmark with a common session.
func benchmarkOf(h *history.History) *benchmarkTable {
	if h.Metrics.Benchmark == nil || h.Beside == nil || len(h.Beside.Returns) == 0 {
		return nil
	}
	b := h.Metrics.Benchmark
	grown := 1.0
	for _, r := range h.Beside.Returns {
		grown *= 1 + r
	}
	return &benchmarkTable{Symbol: b.Symbol, Figures: []figure{
		{"Total return of the benchmark", percent(grown-1, 1)}, {"CAGR above the benchmark", percent(float64(b.ActiveReturn), 2)},
		{"Beta", ratio(float64(b.Beta))}, {"Annual alpha", percent(float64(b.Alpha), 2)},
		{"Correlation", ratio(float64(b.Correlation))}, {"Tracking error", percent(float64(b.TrackingError), 2)},
		{"Information ratio", ratio(float64(b.InformationRatio))},
		{"Up capture", percent(float64(b.UpCapture), 0)}, {"Down capture", percent(float64(b.DownCapture), 0)},
	}}
}

func figuresOf(b *metrics.Block) []figure {
	figures := []figure{
		{"Total return", percent(float64(b.TotalReturn), 1)}, {"CAGR", percent(float64(b.CAGR), 2)},
		{"Volatility", percent(float64(b.AnnualVolatility), 2)}, {"Sharpe", ratio(float64(b.Sharpe))},
		{"Sortino", ratio(float64(b.Sortino))}, {"Calmar", ratio(float64(b.Calmar))},
		{"Maximum drawdown", percent(float64(b.MaxDrawdown.Value), 1)}, {"Best year", percent(float64(b.BestYear), 1)},
		{"Worst year", percent(float64(b.WorstYear), 1)}, {"Positive months", percent(float64(b.PositiveMonths), 0)},
		{"Annual turnover", percent(float64(b.Turnover), 0)}, {"Time in market", percent(float64(b.TimeInMarket), 0)},
	}
	if trials := b.Conventions.Trials; trials > 0 {
		// The ratio means little without the number of trials that it allows for.
		figures = append(figures, figure{"Deflated Sharpe (trials: " + strconv.Itoa(trials) + ")", percent(float64(b.DeflatedSharpe), 0)})
	}
	return figures
}

// yearRows returns one row per year, latest first.
func yearRows(years []metrics.Year) []yearRow {
	var rows []yearRow
	for _, y := range slices.Backward(years) {
		row := yearRow{Year: y.Year, Whole: percent(float64(y.YearReturn), 1), Partial: y.Partial}
		for m, v := range y.Months {
			if !math.IsNaN(float64(v)) {
				row.Months[m] = cellOfYear{percent(float64(v), 1), heat(float64(v), .1)}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// percent formats a fraction as per cent, with a true minus sign.
func percent(v float64, decimals int) string { return decimal(100*v, decimals, "\u202f%") }

func ratio(v float64) string { return decimal(v, 2, "") }

func decimal(v float64, decimals int, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	if v < 0 && strings.Trim(text, "0.") != "" {
		text = "−" + text
	}
	return text + unit
}

// drawdownRow is one fall from a high.
type drawdownRow struct{ Depth, Peak, Valley, Recovery, Days string }

func drawdownRows(drawdowns []metrics.Drawdown) []drawdownRow {
	var rows []drawdownRow
	for _, d := range drawdowns {
		row := drawdownRow{Depth: percent(float64(d.Value), 1), Peak: dateOf(d.Peak), Valley: dateOf(d.Valley), Recovery: "not yet"}
		if d.Recovery != nil {
			row.Recovery = d.Recovery.String()
		}
		if d.Days != nil {
			row.Days = strconv.Itoa(*d.Days)
		}
		rows = append(rows, row)
	}
	return rows
}

func dateOf(d *timeseries.Date) string {
	if d == nil {
		return "–"
	}
	return d.String()
}

// rollingRow is the range of the annual returns over all windows of a length.
type rollingRow struct{ Window, Worst, Median, Best string }

func rollingRows(r *metrics.Rolling) []rollingRow {
	var rows []rollingRow
	for _, x := range []struct {
		window string
		metrics.Range
	}{{"1 year", r.OneYear}, {"3 years", r.ThreeYear}, {"5 years", r.FiveYear}} {
		if !math.IsNaN(float64(x.Median)) {
			rows = append(rows, rollingRow{x.window, percent(float64(x.Min), 1), percent(float64(x.Median), 1), percent(float64(x.Max), 1)})
		}
	}
	return rows
}
