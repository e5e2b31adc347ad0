package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// rolling_mean(values, n) is a vector of the means of all len − n + 1 windows of n
// consecutive values. The last element is sma(values, n). It needs n values.
func rollingMean(c call) (starlark.Value, error) {
	var values, n starlark.Value
	if err := c.unpack(&values, &n); err != nil {
		return nil, err
	}
	return c.rolling("values", values, n, 1, mean)
}

// rolling_volatility(returns, n, bars_per_year=252) is a vector of the annualised
// volatilities of all windows of n consecutive returns. The last element is
// volatility(returns[-n:], bars_per_year). It needs n returns, and n must be at
// least 2.
func rollingVolatility(c call) (starlark.Value, error) {
	var returns, n starlark.Value
	var bars real
	if err := c.unpack(&returns, &n, &bars); err != nil {
		return nil, err
	}
	year := math.Sqrt(float64(bars))
	return c.rolling("returns", returns, n, 2, func(r []float64) float64 { return std(r) * year })
}

// rolling_zscore(values, n) is a vector of the z-scores of all windows of n
// consecutive values: how many sample standard deviations the last value of the
// window lies from the window's mean. The last element is zscore(values, n). It
// needs n values, and n must be at least 2.
func rollingZscore(c call) (starlark.Value, error) {
	var values, n starlark.Value
	if err := c.unpack(&values, &n); err != nil {
		return nil, err
	}
	return c.rolling("values", values, n, 2, zscoreOf)
}

// rolling evaluates f over every window of n consecutive values. It evaluates each
// window afresh, because a running sum would accumulate rounding errors and differ
// from the plain function in the last bits.
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

// vector returns a vector as a result, or an error if an element is not finite.
func (c call) vector(out []float64) (starlark.Value, error) {
	for i, x := range out {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, c.errorf("element %d of the result is not a finite number", i)
		}
	}
	return NewVector(out), nil
}
