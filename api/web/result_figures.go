package web

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/metrics"
	"ballast/program/history"
)

// yearRow is a year of monthly returns.
type yearRow struct {
	Year   int
	Months [12]string
	Whole  string
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
	return []figure{
		{"Total return", percent(float64(b.TotalReturn), 1)}, {"CAGR", percent(float64(b.CAGR), 2)},
		{"Volatility", percent(float64(b.AnnualVolatility), 2)}, {"Sharpe", ratio(float64(b.Sharpe))},
		{"Sortino", ratio(float64(b.Sortino))}, {"Calmar", ratio(float64(b.Calmar))},
		{"Maximum drawdown", percent(float64(b.MaxDrawdown.Value), 1)}, {"Best year", percent(float64(b.BestYear), 1)},
		{"Worst year", percent(float64(b.WorstYear), 1)}, {"Positive months", percent(float64(b.PositiveMonths), 0)},
		{"Annual turnover", percent(float64(b.Turnover), 0)}, {"Time in market", percent(float64(b.TimeInMarket), 0)},
	}
}

// yearRows returns one row per year, latest first.
func yearRows(years []metrics.Year) []yearRow {
	var rows []yearRow
	for _, y := range slices.Backward(years) {
		row := yearRow{Year: y.Year, Whole: percent(float64(y.YearReturn), 1)}
		for m, v := range y.Months {
			if !math.IsNaN(float64(v)) {
				row.Months[m] = percent(float64(v), 1)
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
