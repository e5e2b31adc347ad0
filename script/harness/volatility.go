package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// volatility(returns, bars_per_year=252) is the annualised sample standard
// deviation of daily returns, sd·√bars_per_year, an annual fraction. It needs at
// least two returns.
func volatility(c call) (starlark.Value, error) {
	var returns starlark.Value
	var bars real
	if err := c.unpack(&returns, &bars); err != nil {
		return nil, err
	}
	r, err := c.floats("returns", returns, 2)
	if err != nil {
		return nil, err
	}
	return c.number(std(r) * math.Sqrt(float64(bars)))
}
