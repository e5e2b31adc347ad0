package harness

import "go.starlark.net/starlark"

// scale(weights, factor) multiplies every weight by factor: above 1 it is leverage,
// below 0 a short position.
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
