package metrics

import (
	"math"
	"slices"

	"ballast/internal/number"
	"ballast/timeseries"
)

// FiguresVersion must be raised when Compute returns a different number for the same
// series, or when FigureNames change. Figures stored under an earlier version are then
// computed again.
const FiguresVersion = 1

// Figures are the plain numbers and dates of a block, by which results are sorted and
// filtered. They do not include the benchmark, the lists of months and drawdowns, and the
// deflated Sharpe ratio, which changes with every trial of the model.
type Figures struct {
	Values     []float64       // in the order of FigureNames, NaN if the series does not define one
	Start, End timeseries.Date // first and last date with a return, NoDate without returns

	Peak, Valley, Recovery timeseries.Date // of the deepest drawdown, NoDate if there is none
}

// FigureNames lists the names of figures, in the order of the block. Names of nested
// fields are joined by underscores; max_drawdown is the value of the deepest drawdown.
var FigureNames = func() []string {
	out := make([]string, len(figureFields))
	for i, field := range figureFields {
		out[i] = field.name
	}
	return out
}()

// Figure returns the figure with a name, or NaN if it is undefined or unknown, or if f is
// nil.
func (f *Figures) Figure(name string) float64 {
	if f == nil {
		return math.NaN()
	}
	if i := slices.Index(FigureNames, name); i >= 0 && i < len(f.Values) {
		return f.Values[i]
	}
	return math.NaN()
}

// FiguresOf extracts the figures of a block. Infinities become NaN, as on the wire.
func FiguresOf(b *Block) *Figures {
	f := &Figures{
		Values: make([]float64, len(figureFields)),
		Start:  dateOf(b.Window.Start), End: dateOf(b.Window.End),
		Peak: dateOf(b.MaxDrawdown.Peak), Valley: dateOf(b.MaxDrawdown.Valley), Recovery: dateOf(b.MaxDrawdown.Recovery),
	}
	for i, field := range figureFields {
		v := float64(field.of(b))
		if math.IsInf(v, 0) {
			v = math.NaN()
		}
		f.Values[i] = v
	}
	return f
}

func dateOf(d *timeseries.Date) timeseries.Date {
	if d == nil {
		return timeseries.NoDate
	}
	return *d
}

// figureField reads one figure of a block.
type figureField struct {
	name string
	of   func(*Block) number.Float
}

var figureFields = []figureField{
	{"sessions", func(b *Block) number.Float { return number.Float(b.Window.Sessions) }},
	{"years", func(b *Block) number.Float { return b.Window.Years }},
	{"total_return", func(b *Block) number.Float { return b.TotalReturn }},
	{"cagr", func(b *Block) number.Float { return b.CAGR }},
	{"annual_volatility", func(b *Block) number.Float { return b.AnnualVolatility }},
	{"sharpe", func(b *Block) number.Float { return b.Sharpe }},
	{"sortino", func(b *Block) number.Float { return b.Sortino }},
	{"probabilistic_sharpe", func(b *Block) number.Float { return b.ProbabilisticSharpe }},
	{"calmar", func(b *Block) number.Float { return b.Calmar }},
	{"omega", func(b *Block) number.Float { return b.Omega }},
	{"tail_ratio", func(b *Block) number.Float { return b.TailRatio }},
	{"max_drawdown", func(b *Block) number.Float { return b.MaxDrawdown.Value }},
	{"max_drawdown_days", drawdownDays},
	{"ulcer_index", func(b *Block) number.Float { return b.UlcerIndex }},
	{"ulcer_performance_index", func(b *Block) number.Float { return b.UlcerPerformanceIndex }},
	{"value_at_risk_5", func(b *Block) number.Float { return b.ValueAtRisk5 }},
	{"conditional_value_at_risk_5", func(b *Block) number.Float { return b.ConditionalValueAtRisk5 }},
	{"skewness", func(b *Block) number.Float { return b.Skewness }},
	{"excess_kurtosis", func(b *Block) number.Float { return b.ExcessKurtosis }},
	{"win_rate", func(b *Block) number.Float { return b.WinRate }},
	{"best_day", func(b *Block) number.Float { return b.BestDay }},
	{"worst_day", func(b *Block) number.Float { return b.WorstDay }},
	{"best_month", func(b *Block) number.Float { return b.BestMonth }},
	{"worst_month", func(b *Block) number.Float { return b.WorstMonth }},
	{"best_year", func(b *Block) number.Float { return b.BestYear }},
	{"worst_year", func(b *Block) number.Float { return b.WorstYear }},
	{"positive_months", func(b *Block) number.Float { return b.PositiveMonths }},
	{"rolling_one_year_min", func(b *Block) number.Float { return b.Rolling.OneYear.Min }},
	{"rolling_one_year_median", func(b *Block) number.Float { return b.Rolling.OneYear.Median }},
	{"rolling_one_year_max", func(b *Block) number.Float { return b.Rolling.OneYear.Max }},
	{"rolling_three_year_min", func(b *Block) number.Float { return b.Rolling.ThreeYear.Min }},
	{"rolling_three_year_median", func(b *Block) number.Float { return b.Rolling.ThreeYear.Median }},
	{"rolling_three_year_max", func(b *Block) number.Float { return b.Rolling.ThreeYear.Max }},
	{"rolling_five_year_min", func(b *Block) number.Float { return b.Rolling.FiveYear.Min }},
	{"rolling_five_year_median", func(b *Block) number.Float { return b.Rolling.FiveYear.Median }},
	{"rolling_five_year_max", func(b *Block) number.Float { return b.Rolling.FiveYear.Max }},
	{"turnover", func(b *Block) number.Float { return b.Turnover }},
	{"gross_exposure_mean", func(b *Block) number.Float { return b.GrossExposure.Mean }},
	{"gross_exposure_max", func(b *Block) number.Float { return b.GrossExposure.Max }},
	{"time_in_market", func(b *Block) number.Float { return b.TimeInMarket }},
}

func drawdownDays(b *Block) number.Float {
	if b.MaxDrawdown.Days == nil {
		return number.NaN()
	}
	return number.Float(*b.MaxDrawdown.Days)
}
