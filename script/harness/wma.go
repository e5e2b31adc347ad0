package harness

import "go.starlark.net/starlark"

// wma(values, n) is the linearly weighted mean of the last n values,
// Σ i·xᵢ / Σ i for i = 1..n; the newest has the weight n. It needs n values.
func wma(c call) (starlark.Value, error) {
	var values starlark.Value
	var n int
	if err := c.unpack(&values, &n); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, c.errorf("n is %d; it must be an integer of at least 1", n)
	}
	v, err := c.floats("values", values, n)
	if err != nil {
		return nil, err
	}
	v = v[len(v)-n:]
	var total, weights float64
	for i, x := range v {
		total += float64(float64(i+1) * x)
		weights += float64(i + 1)
	}
	return c.number(total / weights)
}
