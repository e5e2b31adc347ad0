package web

import (
	"math"
	"strconv"
	"strings"

	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

// statistic is one figure of a block: its name for readers, its field, which is also
// where the page of formulas describes it, and how it is written.
type statistic struct {
	Name, Field string
	of          func(b *metrics.Block) float64
	decimals    int  // of per cent or of a plain number
	plain       bool // a ratio, not a fraction
	headline    bool // shown at the top of the page
}

// text writes a value of the statistic.
func (s *statistic) text(v float64) string {
	if s.plain {
		return decimal(v, s.decimals, "")
	}
	return percent(v, s.decimals)
}

// difference writes a difference of two values, of percentages in points.
func (s *statistic) difference(v float64) string {
	text := decimal(v, s.decimals, "")
	if !s.plain {
		text = decimal(100*v, s.decimals, "\u202fpp")
	}
	if v > 0 && !math.IsInf(v, 0) && strings.Trim(text, "0.\u202fp") != "" {
		text = "+" + text
	}
	return text
}

var statistics = []statistic{
	{"Total return", "total_return", func(b *metrics.Block) float64 { return float64(b.TotalReturn) }, 1, false, true},
	{"CAGR", "cagr", func(b *metrics.Block) float64 { return float64(b.CAGR) }, 2, false, true},
	{"Volatility", "annual_volatility", func(b *metrics.Block) float64 { return float64(b.AnnualVolatility) }, 2, false, true},
	{"Sharpe", "sharpe", func(b *metrics.Block) float64 { return float64(b.Sharpe) }, 2, true, true},
	{"Sortino", "sortino", func(b *metrics.Block) float64 { return float64(b.Sortino) }, 2, true, true},
	{"Calmar", "calmar", func(b *metrics.Block) float64 { return float64(b.Calmar) }, 2, true, true},
	{"Maximum drawdown", "max_drawdown.value", func(b *metrics.Block) float64 { return float64(b.MaxDrawdown.Value) }, 1, false, true},
	{"Ulcer index", "ulcer_index", func(b *metrics.Block) float64 { return float64(b.UlcerIndex) }, 2, false, false},
	{"Ulcer performance index", "ulcer_performance_index", func(b *metrics.Block) float64 { return float64(b.UlcerPerformanceIndex) }, 2, true, false},
	{"Best year", "best_year", func(b *metrics.Block) float64 { return float64(b.BestYear) }, 1, false, true},
	{"Worst year", "worst_year", func(b *metrics.Block) float64 { return float64(b.WorstYear) }, 1, false, true},
	{"Best month", "best_month", func(b *metrics.Block) float64 { return float64(b.BestMonth) }, 1, false, false},
	{"Worst month", "worst_month", func(b *metrics.Block) float64 { return float64(b.WorstMonth) }, 1, false, false},
	{"Positive months", "positive_months", func(b *metrics.Block) float64 { return float64(b.PositiveMonths) }, 0, false, true},
	{"Best day", "best_day", func(b *metrics.Block) float64 { return float64(b.BestDay) }, 1, false, false},
	{"Worst day", "worst_day", func(b *metrics.Block) float64 { return float64(b.WorstDay) }, 1, false, false},
	{"Days with a gain", "win_rate", func(b *metrics.Block) float64 { return float64(b.WinRate) }, 0, false, false},
	{"Value at risk, 5 % of days", "value_at_risk_5", func(b *metrics.Block) float64 { return float64(b.ValueAtRisk5) }, 2, false, false},
	{"Mean loss beyond it", "conditional_value_at_risk_5", func(b *metrics.Block) float64 { return float64(b.ConditionalValueAtRisk5) }, 2, false, false},
	{"Skewness", "skewness", func(b *metrics.Block) float64 { return float64(b.Skewness) }, 2, true, false},
	{"Excess kurtosis", "excess_kurtosis", func(b *metrics.Block) float64 { return float64(b.ExcessKurtosis) }, 2, true, false},
	{"Tail ratio", "tail_ratio", func(b *metrics.Block) float64 { return float64(b.TailRatio) }, 2, true, false},
	{"Omega", "omega", func(b *metrics.Block) float64 { return float64(b.Omega) }, 2, true, false},
	{"Probabilistic Sharpe", "probabilistic_sharpe", func(b *metrics.Block) float64 { return float64(b.ProbabilisticSharpe) }, 0, false, false},
	{"Annual turnover", "turnover", func(b *metrics.Block) float64 { return float64(b.Turnover) }, 0, false, true},
	{"Time in market", "time_in_market", func(b *metrics.Block) float64 { return float64(b.TimeInMarket) }, 0, false, true},
}

// measure is a named figure with the field whose formula the documentation gives.
type measure struct{ Name, Field, Value string }

// headlines returns the figures at the top of a page.
func headlines(b *metrics.Block) []measure {
	var out []measure
	for i := range statistics {
		if s := &statistics[i]; s.headline {
			out = append(out, measure{s.Name, s.Field, s.text(s.of(b))})
		}
	}
	if trials := b.Conventions.Trials; trials > 0 {
		// The ratio means little without the number of trials that it allows for.
		out = append(out, measure{"Deflated Sharpe (trials: " + strconv.Itoa(trials) + ")", "deflated_sharpe", percent(float64(b.DeflatedSharpe), 0)})
	}
	return out
}

// versus compares the figures of a result with those of a benchmark, over the sessions
// that both cover.
type versus struct {
	Symbol    string
	From, To  string // the first and the last of these sessions
	Part      bool   // they are not the whole window
	Rows      []versusRow
	Relations []measure
}

// versusRow is one statistic of both.
type versusRow struct{ Name, Field, Own, Benchmark, Difference string }

// versusOf returns nil if the history has no benchmark with a common session.
func versusOf(h *history.History) *versus {
	if h.Metrics.Benchmark == nil || h.Beside == nil || len(h.Beside.Returns) == 0 {
		return nil
	}
	from, to := h.Beside.From, h.Beside.From+len(h.Beside.Returns)
	s := timeseries.Series{Base: h.Base, Dates: h.Dates[from:to], Returns: h.Returns[from:to]}
	if from > 0 {
		s.Base = h.Dates[from-1]
	}
	o := metrics.Options{BarsPerYear: h.Metrics.Conventions.BarsPerYear}
	part := from > 0 || to < len(h.Dates)
	own := h.Metrics
	if part {
		own = metrics.Compute(s, o)
	}
	s.Returns = h.Beside.Returns
	theirs := metrics.Compute(s, o)
	v := &versus{Symbol: h.Beside.Symbol, From: s.Dates[0].String(), To: s.Last().String(), Part: part, Relations: relations(h.Metrics.Benchmark)}
	for i := range statistics {
		row := &statistics[i]
		if a, b := row.of(own), row.of(theirs); !math.IsNaN(b) {
			v.Rows = append(v.Rows, versusRow{row.Name, row.Field, row.text(a), row.text(b), row.difference(a - b)})
		}
	}
	return v
}

// relations are the statistics of a result against its benchmark.
func relations(b *metrics.Benchmark) []measure {
	return []measure{
		{"CAGR above the benchmark", "benchmark.active_return", percent(float64(b.ActiveReturn), 2)},
		{"Beta", "benchmark.beta", ratio(float64(b.Beta))}, {"Annual alpha", "benchmark.alpha", percent(float64(b.Alpha), 2)},
		{"Correlation", "benchmark.correlation", ratio(float64(b.Correlation))}, {"Tracking error", "benchmark.tracking_error", percent(float64(b.TrackingError), 2)},
		{"Information ratio", "benchmark.information_ratio", ratio(float64(b.InformationRatio))},
		{"Up capture", "benchmark.up_capture", percent(float64(b.UpCapture), 0)}, {"Down capture", "benchmark.down_capture", percent(float64(b.DownCapture), 0)},
	}
}
