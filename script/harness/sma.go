package harness

import "go.starlark.net/starlark"

// sma(values, n=None) is the mean of the last n values, or of all values without n.
// It needs n values, and at least one.
func sma(c call) (starlark.Value, error) {
	v, err := c.window(1)
	if err != nil {
		return nil, err
	}
	return c.number(mean(v))
}

// window reads (values, n) and returns the last n values, or all of them if n is
// None. Both n and the number of values must be at least least.
func (c call) window(least int) ([]float64, error) {
	var values, n starlark.Value
	if err := c.unpack(&values, &n); err != nil {
		return nil, err
	}
	length, err := c.length(n, 0)
	if err != nil {
		return nil, err
	}
	v, err := c.floats("values", values, max(length, least))
	if err != nil || length == 0 {
		return v, err
	}
	if length < least {
		return nil, c.errorf("n is %d; it must be an integer of at least %d", length, least)
	}
	return v[len(v)-length:], nil
}

// length reads a number of sessions; None means standard.
func (c call) length(n starlark.Value, standard int) (int, error) {
	if n == starlark.None {
		return standard, nil
	}
	length, err := starlark.AsInt32(n)
	if err != nil || length < 1 {
		return 0, c.errorf("n is %s; it must be an integer of at least 1", n)
	}
	return length, nil
}
