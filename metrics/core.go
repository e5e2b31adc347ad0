package metrics

import "ballast/timeseries"

// Core are the figures by which many runs of one model are compared. Each equals that of
// Block, to the bit, and is NaN if the series does not define it.
type Core struct {
	Sharpe      float64 `cbor:"sharpe"`       // annual
	Sortino     float64 `cbor:"sortino"`      // annual
	Calmar      float64 `cbor:"calmar"`       // CAGR by the depth of the deepest drawdown
	CAGR        float64 `cbor:"cagr"`         // annual fraction
	Volatility  float64 `cbor:"volatility"`   // annual fraction
	MaxDrawdown float64 `cbor:"max_drawdown"` // fraction, 0 or negative
	Turnover    float64 `cbor:"turnover"`     // per year, a fraction of equity; NaN without traded
}

// CoreOf computes the core figures of a series, which takes a twentieth of the time of
// Compute. traded is as in Options; it may be nil. It panics if lengths differ.
func CoreOf(s timeseries.Series, traded []float64, barsPerYear int) Core {
	check(s, Options{Traded: traded})
	if barsPerYear <= 0 {
		barsPerYear = DefaultBarsPerYear
	}
	n := len(s.Returns)
	equity := Equity(nil, s.Returns)
	days := spanDays(s)
	moments := MomentsOf(s.Returns)
	c := Core{
		Sharpe: Sharpe(moments, PerBar(0, barsPerYear), barsPerYear), Sortino: Sortino(s.Returns, PerBar(0, barsPerYear), barsPerYear),
		CAGR: CAGR(equity[n], days), Volatility: Volatility(moments, barsPerYear),
		Calmar: nan, MaxDrawdown: nan, Turnover: Turnover(traded, float64(window(s, days).Years)),
	}
	if n > 0 && finite(equity[n]) {
		c.MaxDrawdown = 0
		for _, spell := range Drawdowns(equity) {
			c.MaxDrawdown = min(c.MaxDrawdown, spell.Depth)
		}
	}
	if n >= 2 {
		c.Calmar = Calmar(c.CAGR, c.MaxDrawdown)
	}
	return c
}
