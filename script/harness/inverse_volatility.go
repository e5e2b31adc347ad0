package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// inverse_volatility(panel) weights each symbol in proportion to 1/σ; the weights
// add up to 1. panel maps symbols to their returns or to their volatilities. A
// volatility of zero is an error that names the symbol.
func inverseVolatility(c call) (starlark.Value, error) {
	var v starlark.Value
	if err := c.unpack(&v); err != nil {
		return nil, err
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, c.errorf("panel is a %s; a dictionary by symbol is needed", v.Type())
	}
	var k keyed
	var total float64
	for _, item := range d.Items() {
		s, ok := starlark.AsString(item[0])
		if !ok {
			return nil, c.errorf("panel has the key %s, which is not a symbol", item[0])
		}
		sigma, isNumber := starlark.AsFloat(item[1])
		if !isNumber {
			r, err := c.floats(s, item[1], 2)
			if err != nil {
				return nil, err
			}
			if sigma = std(r); constant(r) {
				sigma = 0
			}
		}
		if !(sigma > 0) || math.IsInf(sigma, 1) {
			return nil, c.errorf("the volatility of %s is %v; leave it out", s, sigma)
		}
		k.symbols = append(k.symbols, s)
		k.values = append(k.values, 1/sigma)
		total += 1 / sigma
	}
	for i := range k.values {
		k.values[i] /= total
	}
	return c.dict(k)
}
