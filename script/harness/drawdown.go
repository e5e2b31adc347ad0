package harness

import (
	"slices"

	"go.starlark.net/starlark"
)

// drawdown(prices) is the fall of the last price from the highest, last/max − 1: a
// fraction from −1 to 0. It needs at least one price.
func drawdown(c call) (starlark.Value, error) {
	var prices starlark.Value
	if err := c.unpack(&prices); err != nil {
		return nil, err
	}
	p, err := c.floats("prices", prices, 1)
	if err != nil {
		return nil, err
	}
	return c.number(p[len(p)-1]/slices.Max(p) - 1)
}

// max_drawdown(prices) is the deepest fall of a price from the highest one before
// it, min(p/running peak − 1): a fraction from −1 to 0. It needs at least one
// price.
func maxDrawdown(c call) (starlark.Value, error) {
	var prices starlark.Value
	if err := c.unpack(&prices); err != nil {
		return nil, err
	}
	p, err := c.floats("prices", prices, 1)
	if err != nil {
		return nil, err
	}
	peak, deepest := p[0], 0.0
	for _, x := range p {
		peak = max(peak, x)
		deepest = min(deepest, x/peak-1)
	}
	return c.number(deepest)
}
