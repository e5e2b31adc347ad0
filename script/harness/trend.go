package harness

import "go.starlark.net/starlark"

// slope(values, n=None) is the slope of the least-squares line through the last n
// values, or through all values without n, in units per bar:
// Σ(t−t̄)(x−x̄)/Σ(t−t̄)² for t = 0..n−1. It is 0 if all values are equal. It needs
// n values, and at least two.
func slope(c call) (starlark.Value, error) {
	v, err := c.window(2)
	if err != nil {
		return nil, err
	}
	steepness, _ := line(v)
	return c.number(steepness)
}

// r_squared(values, n=None) is the fraction of the variance of the last n values, or
// of all values without n, that the least-squares line explains, from 0 to 1. It
// is 0 if all values are equal. It needs n values, and at least two.
func rSquared(c call) (starlark.Value, error) {
	v, err := c.window(2)
	if err != nil {
		return nil, err
	}
	_, explained := line(v)
	return c.number(explained)
}

// line fits the least-squares line and returns its slope and R².
func line(v []float64) (steepness, explained float64) {
	if constant(v) {
		return 0, 0
	}
	middle, level := float64(len(v)-1)/2, mean(v)
	var tt, tx, xx float64
	for i, x := range v {
		t, d := float64(i)-middle, x-level
		tt += float64(t * t)
		tx += float64(t * d)
		xx += float64(d * d)
	}
	if xx == 0 { // differences too small to square
		return tx / tt, 0
	}
	return tx / tt, min(1, float64(tx/tt)*tx/xx)
}
