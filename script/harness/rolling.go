package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// rolling_mean(values, n) is a vector of the means of every n values in a row,
// of which the last is sma(values, n): len − n + 1 of them. It needs n values.
func rollingMean(c call) (starlark.Value, error) {
	var values, n starlark.Value
	if err := c.unpack(&values, &n); err != nil {
		return nil, err
	}
	return c.rolling("values", values, n, 1, mean)
}

// rolling_volatility(returns, n, bars_per_year=252) is a vector of the
// annualised volatilities of every n returns in a row, of which the last is
// volatility(returns[-n:], bars_per_year). It needs n returns, and n from 2 on.
func rollingVolatility(c call) (starlark.Value, error) {
	var returns, n starlark.Value
	var bars real
	if err := c.unpack(&returns, &n, &bars); err != nil {
		return nil, err
	}
	year := math.Sqrt(float64(bars))
	return c.rolling("returns", returns, n, 2, func(r []float64) float64 { return std(r) * year })
}

// rolling_zscore(values, n) is a vector of how many sample standard deviations
// the last of every n values in a row lies from their mean, of which the last is
// zscore(values, n). It needs n values, and n from 2 on.
func rollingZscore(c call) (starlark.Value, error) {
	var values, n starlark.Value
	if err := c.unpack(&values, &n); err != nil {
		return nil, err
	}
	return c.rolling("values", values, n, 2, zscoreOf)
}

// rolling evaluates f over every n values in a row. Each window stands alone: a
// running sum would carry its rounding along, and give other bits than the plain
// function does.
func (c call) rolling(what string, values, n starlark.Value, least int, f func([]float64) float64) (starlark.Value, error) {
	length, err := starlark.AsInt32(n)
	if err != nil || length < least {
		return nil, c.errorf("n is %s; it must be an integer of at least %d", n, least)
	}
	v, err := c.floats(what, values, length)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(v)-length+1)
	for i := range out {
		out[i] = f(v[i : i+length])
	}
	return c.vector(out)
}

// vector makes a result, refusing what is not a finite number.
func (c call) vector(out []float64) (starlark.Value, error) {
	for i, x := range out {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, c.errorf("element %d of the result is not a finite number", i)
		}
	}
	return NewVector(out), nil
}
