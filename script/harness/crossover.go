package harness

import "go.starlark.net/starlark"

// crossover(values, fast, slow) is 1 if the mean of the last fast values crossed
// above the mean of the last slow values at the last value (it was at or below it
// one value earlier), −1 if it crossed below, and 0 otherwise. It needs slow + 1
// values, and fast must be below slow.
func crossover(c call) (starlark.Value, error) {
	var values starlark.Value
	var fast, slow int
	if err := c.unpack(&values, &fast, &slow); err != nil {
		return nil, err
	}
	if fast < 1 || fast >= slow {
		return nil, c.errorf("fast is %d and slow %d; fast must be an integer of at least 1 and below slow", fast, slow)
	}
	v, err := c.floats("values", values, slow+1)
	if err != nil {
		return nil, err
	}
	gap := func(end int) float64 { return mean(v[end-fast:end]) - mean(v[end-slow:end]) }
	before, now := gap(len(v)-1), gap(len(v))
	switch {
	case before <= 0 && now > 0:
		return starlark.MakeInt(1), nil
	case before >= 0 && now < 0:
		return starlark.MakeInt(-1), nil
	}
	return starlark.MakeInt(0), nil
}
