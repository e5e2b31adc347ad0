package harness

import "go.starlark.net/starlark"

// ema(values, n) is the exponential moving average at the last value:
// e ← e + α(x − e) with α = 2/(n+1), starting from the first value. It needs at
// least one value.
func ema(c call) (starlark.Value, error) {
	var values, n starlark.Value
	if err := c.unpack(&values, &n); err != nil {
		return nil, err
	}
	length, err := c.length(n, 1)
	if err != nil {
		return nil, err
	}
	v, err := c.floats("values", values, 1)
	if err != nil {
		return nil, err
	}
	alpha := 2 / float64(length+1)
	e := v[0]
	for _, x := range v[1:] {
		e += float64(alpha * (x - e))
	}
	return c.number(e)
}
