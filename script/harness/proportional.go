package harness

import "go.starlark.net/starlark"

// proportional(scores, total=1.0) weights each symbol in proportion to its positive
// score, max(score, 0)·total/Σ max(score, 0). All weights are 0 if no score is
// above 0.
func proportional(c call) (starlark.Value, error) {
	var scores starlark.Value
	var total real
	if err := c.unpack(&scores, &total); err != nil {
		return nil, err
	}
	k, err := c.numbers("scores", scores)
	if err != nil {
		return nil, err
	}
	var positive float64
	for i, x := range k.values {
		k.values[i] = max(x, 0)
		positive += k.values[i]
	}
	for i := range k.values {
		if positive > 0 {
			k.values[i] = k.values[i] * float64(total) / positive
		}
	}
	return c.dict(k)
}
