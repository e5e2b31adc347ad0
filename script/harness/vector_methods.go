package harness

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"go.starlark.net/starlark"
)

// reductions are the methods of vectors that give a number, with the fewest
// values that each takes.
var reductions = map[string]struct {
	least int
	of    func([]float64) float64
}{
	"first":   {1, func(v []float64) float64 { return v[0] }},
	"last":    {1, func(v []float64) float64 { return v[len(v)-1] }},
	"max":     {1, slices.Max[[]float64]},
	"mean":    {1, mean},
	"min":     {1, slices.Min[[]float64]},
	"product": {0, product},
	"std":     {2, std},
	"sum":     {0, sum},
}

var reductionNames = slices.Sorted(maps.Keys(reductions))

// AttrNames lists the methods.
func (v *Vector) AttrNames() []string { return reductionNames }

// Attr returns a method.
func (v *Vector) Attr(name string) (starlark.Value, error) {
	r, ok := reductions[name]
	if !ok {
		return nil, nil
	}
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := starlark.UnpackArgs(name, args, kwargs); err != nil {
			return nil, err
		}
		if len(v.values) < r.least {
			return nil, fmt.Errorf("%s of a vector with %d %s: %d are needed; test ctx.sessions(symbol) beforehand", name, len(v.values), plural(len(v.values), "value"), r.least)
		}
		x := r.of(v.values)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s: the result is not a finite number", b.Name())
		}
		return starlark.Float(x), nil
	}), nil
}

// vector(values) makes a vector of a list of numbers.
func vector(c call) (starlark.Value, error) {
	var v starlark.Value
	if err := c.unpack("values", &v); err != nil {
		return nil, err
	}
	f, err := c.floats("values", v, 0)
	if err != nil {
		return nil, err
	}
	return NewVector(f), nil
}
