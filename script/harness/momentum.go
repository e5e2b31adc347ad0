package harness

import "go.starlark.net/starlark"

// momentum(prices, skip=0) is the total return from the first price to the one
// skip sessions before the last, p[n−1−skip]/p[0] − 1, a fraction. It needs
// skip + 2 prices.
func momentum(c call) (starlark.Value, error) {
	var prices starlark.Value
	var skip int
	if err := c.unpack(&prices, &skip); err != nil {
		return nil, err
	}
	if skip < 0 {
		return nil, c.errorf("skip is %d; it must be at least 0", skip)
	}
	p, err := c.floats("prices", prices, skip+2)
	if err != nil {
		return nil, err
	}
	return c.number(p[len(p)-1-skip]/p[0] - 1)
}
