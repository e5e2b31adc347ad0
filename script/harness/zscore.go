package harness

import "go.starlark.net/starlark"

// zscore(values, n=None) is how many sample standard deviations the last value lies
// from the mean of the last n values, or of all values without n, including
// itself. It is 0 if all values are equal. It needs n values, and at least two.
func zscore(c call) (starlark.Value, error) {
	v, err := c.window(2)
	if err != nil {
		return nil, err
	}
	return c.number(zscoreOf(v))
}

func zscoreOf(v []float64) float64 {
	if constant(v) {
		return 0
	}
	return (v[len(v)-1] - mean(v)) / std(v)
}

// constant reports whether all values are equal. The standard deviation cannot tell,
// since rounding may make it positive.
func constant(v []float64) bool {
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}
