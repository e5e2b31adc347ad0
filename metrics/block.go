package metrics

import (
	"gonum.org/v1/gonum/floats"

	"ballast/internal/number"
	"ballast/timeseries"
)

// drawdownsShown is the number of deepest drawdowns in the block.
const drawdownsShown = 5

// Block has every statistic of one series, in its JSON form. Returns and deviations
// are fractions. Undefined statistics are null.
type Block struct {
	Window                  Window       `json:"window"`
	Conventions             Conventions  `json:"conventions"`
	TotalReturn             number.Float `json:"total_return"`
	CAGR                    number.Float `json:"cagr"`
	AnnualVolatility        number.Float `json:"annual_volatility"`
	Sharpe                  number.Float `json:"sharpe"`
	Sortino                 number.Float `json:"sortino"`
	ProbabilisticSharpe     number.Float `json:"probabilistic_sharpe"` // probability that the true Sharpe ratio is above 0
	DeflatedSharpe          number.Float `json:"deflated_sharpe"`      // probability that it is above what the best of the trials shows by luck; null without a number of trials
	Calmar                  number.Float `json:"calmar"`
	Omega                   number.Float `json:"omega"`
	TailRatio               number.Float `json:"tail_ratio"`
	MaxDrawdown             Drawdown     `json:"max_drawdown"`
	Drawdowns               []Drawdown   `json:"drawdowns"` // the five deepest, deepest first
	UlcerIndex              number.Float `json:"ulcer_index"`
	UlcerPerformanceIndex   number.Float `json:"ulcer_performance_index"`
	ValueAtRisk5            number.Float `json:"value_at_risk_5"`
	ConditionalValueAtRisk5 number.Float `json:"conditional_value_at_risk_5"`
	Skewness                number.Float `json:"skewness"`
	ExcessKurtosis          number.Float `json:"excess_kurtosis"`
	WinRate                 number.Float `json:"win_rate"`
	BestDay                 number.Float `json:"best_day"`
	WorstDay                number.Float `json:"worst_day"`
	BestMonth               number.Float `json:"best_month"`
	WorstMonth              number.Float `json:"worst_month"`
	BestYear                number.Float `json:"best_year"`
	WorstYear               number.Float `json:"worst_year"`
	PositiveMonths          number.Float `json:"positive_months"` // fraction of months with a return above 0
	Monthly                 []Year       `json:"monthly"`
	Rolling                 Rolling      `json:"rolling"`
	Turnover                number.Float `json:"turnover"` // one-way, per year, a fraction of equity
	GrossExposure           Exposure     `json:"gross_exposure"`
	TimeInMarket            number.Float `json:"time_in_market"` // fraction of dates
	Benchmark               *Benchmark   `json:"benchmark"`      // null without a benchmark
}

// Window is the period that the block covers.
type Window struct {
	Start    *timeseries.Date `json:"start"`    // first date with a return; null without returns
	End      *timeseries.Date `json:"end"`      // last date with a return
	Sessions int              `json:"sessions"` // number of returns
	Years    number.Float     `json:"years"`    // calendar days from the base to the end / 365.25; null without returns
}

// Compute computes the block of s. It never fails: statistics that are not defined for
// the series are null. It panics if s.Dates, s.Returns, opt.GrossExposure and
// opt.Traded differ in length; the latter two, and opt.RiskFreeReturns, may be nil. It keeps no reference to its
// input.
func Compute(s timeseries.Series, opt Options) *Block {
	check(s, opt)
	bpy := opt.BarsPerYear
	if bpy <= 0 {
		bpy = DefaultBarsPerYear
	}
	n := len(s.Returns)
	memory := make([]float64, 3*n+1)
	equity, scratch := Equity(memory[:0:n+1], s.Returns), memory[n+1:]

	days := spanDays(s)
	riskFreeBar, riskFree := PerBar(opt.RiskFree, bpy), opt.RiskFree
	moments := MomentsOf(s.Returns)
	// The deviation of excess returns is that of the returns only if the rate is constant.
	excess, rewarded := s.Returns, moments
	if opt.RiskFreeReturns != nil {
		excess = floats.SubTo(make([]float64, n), s.Returns, opt.RiskFreeReturns)
		rewarded, riskFreeBar, riskFree = MomentsOf(excess), 0, annual(opt.RiskFreeReturns, days)
	}
	variance := TrialVariance(opt.TrialSharpeVariance, n, bpy)
	tails := TailsOf(s.Returns, scratch[:n])
	b := &Block{
		Window:                  window(s, days),
		Conventions:             conventions(bpy, opt, riskFree, variance),
		TotalReturn:             number.NaN(),
		CAGR:                    number.Float(CAGR(equity[n], days)),
		AnnualVolatility:        number.Float(Volatility(moments, bpy)),
		Sharpe:                  number.Float(Sharpe(rewarded, riskFreeBar, bpy)),
		Sortino:                 number.Float(Sortino(excess, riskFreeBar, bpy)),
		ProbabilisticSharpe:     number.Float(ProbabilisticSharpe(rewarded, riskFreeBar, 0)),
		DeflatedSharpe:          number.Float(DeflatedSharpe(rewarded, riskFreeBar, bpy, opt.Trials, variance)),
		Calmar:                  number.NaN(),
		Omega:                   number.Float(Omega(s.Returns)),
		TailRatio:               number.Float(tails.Ratio),
		UlcerIndex:              number.Float(Ulcer(equity)),
		UlcerPerformanceIndex:   number.NaN(),
		ValueAtRisk5:            number.Float(tails.ValueAtRisk),
		ConditionalValueAtRisk5: number.Float(tails.ConditionalValueAtRisk),
		Skewness:                number.Float(moments.Skewness),
		ExcessKurtosis:          number.Float(moments.ExcessKurtosis),
		WinRate:                 number.Float(WinRate(s.Returns)),
		Rolling:                 rolling(equity, bpy, scratch),
		GrossExposure:           exposure(opt.GrossExposure),
		TimeInMarket:            number.Float(TimeInMarket(opt.GrossExposure)),
	}
	b.Turnover = number.Float(Turnover(opt.Traded, float64(b.Window.Years)))
	b.setDrawdowns(s, equity)
	if n >= 1 {
		b.TotalReturn = number.Float(equity[n] - 1)
	}
	if n >= 2 {
		b.Calmar = number.Float(Calmar(float64(b.CAGR), float64(b.MaxDrawdown.Value)))
		b.UlcerPerformanceIndex = number.Float(UlcerPerformance(float64(b.CAGR), riskFree, float64(b.UlcerIndex)))
	}
	b.setPeriods(s, bpy)
	if opt.Benchmark != nil {
		b.Benchmark = compare(s, opt.Benchmark, riskFreeBar, opt.RiskFreeReturns, bpy, scratch)
	}
	return b
}

func check(s timeseries.Series, opt Options) {
	n := len(s.Returns)
	if len(s.Dates) != n || opt.GrossExposure != nil && len(opt.GrossExposure) != n || opt.Traded != nil && len(opt.Traded) != n ||
		opt.RiskFreeReturns != nil && len(opt.RiskFreeReturns) != n {
		panic("metrics: dates, returns, risk-free returns, gross exposure and traded differ in length")
	}
}

// annual returns the rate that returns compound to over a number of calendar days, an
// annual fraction.
func annual(returns []float64, days int) float64 {
	growth := 1.0
	for _, r := range returns {
		growth *= 1 + r
	}
	return CAGR(growth, days)
}

// spanDays returns the calendar days from the base to the end, or 0 if there is no base
// or no return.
func spanDays(s timeseries.Series) int {
	if s.Empty() || len(s.Dates) == 0 {
		return 0
	}
	return int(s.Last() - s.Base)
}

func window(s timeseries.Series, days int) Window {
	w := Window{Sessions: len(s.Dates), Years: number.NaN()}
	if n := len(s.Dates); n > 0 {
		start, end := s.Dates[0], s.Dates[n-1]
		w.Start, w.End = &start, &end
	}
	if days > 0 {
		w.Years = number.Float(float64(days) / DaysPerYear)
	}
	return w
}

func (b *Block) setDrawdowns(s timeseries.Series, equity []float64) {
	b.Drawdowns = deepest(s, equity, drawdownsShown)
	switch {
	case len(s.Returns) == 0 || !finite(equity[len(equity)-1]):
		b.MaxDrawdown = Drawdown{Value: number.NaN()}
	case len(b.Drawdowns) > 0:
		b.MaxDrawdown = b.Drawdowns[0]
	}
}

func (b *Block) setPeriods(s timeseries.Series, barsPerYear int) {
	months := Months(s.Dates, s.Returns)
	b.Monthly = years(s, months, barsPerYear)
	monthly := make([]float64, len(months))
	for i, m := range months {
		monthly[i] = m.Growth - 1
	}
	yearly := make([]float64, len(b.Monthly))
	for i, y := range b.Monthly {
		yearly[i] = float64(y.YearReturn)
	}
	set := func(best, worst *number.Float, x []float64) {
		most, least := bestWorst(x)
		*best, *worst = number.Float(most), number.Float(least)
	}
	set(&b.BestDay, &b.WorstDay, s.Returns)
	set(&b.BestMonth, &b.WorstMonth, monthly)
	set(&b.BestYear, &b.WorstYear, yearly)
	b.PositiveMonths = number.Float(share(monthly, flatMonth))
}
