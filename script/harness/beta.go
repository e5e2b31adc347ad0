package harness

import "go.starlark.net/starlark"

// beta(returns, benchmark) is cov(returns, benchmark)/var(benchmark), or 0 if
// the benchmark is constant. It needs at least two returns of each.
func beta(c call) (starlark.Value, error) {
	var returns, benchmark starlark.Value
	if err := c.unpack(&returns, &benchmark); err != nil {
		return nil, err
	}
	x, y, err := c.pair("returns", "benchmark", returns, benchmark)
	if err != nil {
		return nil, err
	}
	if constant(y) {
		return starlark.Float(0), nil
	}
	return c.number(covarianceOf(x, y) / covarianceOf(y, y))
}

// pair reads two vectors of the same length, of at least two values each.
func (c call) pair(first, second string, a, b starlark.Value) (x, y []float64, err error) {
	if x, err = c.floats(first, a, 2); err != nil {
		return nil, nil, err
	}
	if y, err = c.floats(second, b, 2); err != nil {
		return nil, nil, err
	}
	if len(x) != len(y) {
		return nil, nil, c.errorf("%s has %d values and %s %d; take the last n of each: v[-n:]", first, len(x), second, len(y))
	}
	return x, y, nil
}
