package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// sharpe(returns, bars_per_year=252) is the annualised Sharpe ratio for a risk-free
// rate of 0, mean/sd·√bars_per_year with the sample standard deviation (Sharpe
// 1994). It is 0 if the returns are constant. It needs at least two returns.
func sharpe(c call) (starlark.Value, error) {
	var returns starlark.Value
	var bars real
	if err := c.unpack(&returns, &bars); err != nil {
		return nil, err
	}
	r, err := c.floats("returns", returns, 2)
	if err != nil {
		return nil, err
	}
	if constant(r) {
		return starlark.Float(0), nil
	}
	return c.number(mean(r) / std(r) * math.Sqrt(float64(bars)))
}

// downside_deviation(returns, bars_per_year=252) is √(Σ min(r, 0)²/N)·√bars_per_year,
// over all N returns, an annual fraction (Sortino and van der Meer 1991, with a
// target of 0). It needs at least one return.
func downsideDeviation(c call) (starlark.Value, error) {
	var returns starlark.Value
	var bars real
	if err := c.unpack(&returns, &bars); err != nil {
		return nil, err
	}
	r, err := c.floats("returns", returns, 1)
	if err != nil {
		return nil, err
	}
	var s float64
	for _, x := range r {
		if x < 0 {
			s += float64(x * x)
		}
	}
	return c.number(math.Sqrt(s/float64(len(r))) * math.Sqrt(float64(bars)))
}
