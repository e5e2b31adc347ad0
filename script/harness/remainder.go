package harness

import (
	"slices"

	"go.starlark.net/starlark"
)

// remainder(weights, symbol, total=1.0) adds total − Σw to the weight of symbol. A
// symbol without a weight is appended. Weights that exceed total by more than
// 1e-12 are an error.
func remainder(c call) (starlark.Value, error) {
	var weights starlark.Value
	var symbol string
	var total real
	if err := c.unpack(&weights, &symbol, &total); err != nil {
		return nil, err
	}
	k, err := c.numbers("weights", weights)
	if err != nil {
		return nil, err
	}
	used := sum(k.values)
	if used > float64(total)+feasible {
		return nil, c.errorf("the weights add up to %v, above the total of %v", used, float64(total))
	}
	left := float64(total) - used
	if i := slices.Index(k.symbols, symbol); i >= 0 {
		k.values[i] += left
		return c.dict(k)
	}
	k.symbols, k.values = append(k.symbols, symbol), append(k.values, left)
	return c.dict(k)
}
