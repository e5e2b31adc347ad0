package harness

import "go.starlark.net/starlark"

// scale(weights, factor) is w·factor: leverage above 1, a hedge below 0.
func scale(c call) (starlark.Value, error) {
	var weights starlark.Value
	var factor real
	if err := c.unpack(&weights, &factor); err != nil {
		return nil, err
	}
	k, err := c.numbers("weights", weights)
	if err != nil {
		return nil, err
	}
	for i := range k.values {
		k.values[i] *= float64(factor)
	}
	return c.dict(k)
}
