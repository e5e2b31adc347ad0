package harness

import (
	"slices"

	"go.starlark.net/starlark"
)

// highest(values, n=None) is the highest of the last n values, or of all values
// without n. It needs n values, and at least one.
func highest(c call) (starlark.Value, error) {
	v, err := c.window(1)
	if err != nil {
		return nil, err
	}
	return c.number(slices.Max(v))
}

// lowest(values, n=None) is the lowest of the last n values, or of all values
// without n. It needs n values, and at least one.
func lowest(c call) (starlark.Value, error) {
	v, err := c.window(1)
	if err != nil {
		return nil, err
	}
	return c.number(slices.Min(v))
}
