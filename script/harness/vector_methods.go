package harness

import (
	"maps"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"ballast/script/internal/signature"
)

// reductions are the methods of vectors that return a number, with the minimum
// number of values that each needs.
var reductions = map[string]struct {
	least int
	of    func([]float64) float64
}{
	"first":   {1, func(v []float64) float64 { return v[0] }},
	"last":    {1, func(v []float64) float64 { return v[len(v)-1] }},
	"max":     {1, slices.Max[[]float64]},
	"mean":    {1, mean},
	"median":  {1, median},
	"min":     {1, slices.Min[[]float64]},
	"product": {0, product},
	"std":     {2, std},
	"sum":     {0, sum},
}

// transforms are the methods of vectors that return a vector of the same length.
// next computes each value from the previous result, which starts as begin, and
// the vector's value.
var transforms = map[string]struct {
	begin float64
	next  func(before, x float64) float64
}{
	"abs":        {0, func(_, x float64) float64 { return math.Abs(x) }},
	"cumulative": {0, func(before, x float64) float64 { return before + x }},
	"growth":     {1, func(before, x float64) float64 { return before * (1 + x) }},
}

// methods are the signatures of all methods; none takes arguments.
var methods = func() map[string]*signature.Signature {
	m := make(map[string]*signature.Signature)
	for name := range reductions {
		m[name] = signature.New(name, "")
	}
	for name := range transforms {
		m[name] = signature.New(name, "")
	}
	return m
}()

var methodNames = slices.Sorted(maps.Keys(methods))

// AttrNames lists the methods.
func (v *Vector) AttrNames() []string { return methodNames }

// Attr returns a method.
func (v *Vector) Attr(name string) (starlark.Value, error) {
	s, ok := methods[name]
	if !ok {
		return nil, nil
	}
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c := call{name, s, args, kwargs, nil}
		if err := c.unpack(); err != nil {
			return nil, err
		}
		if t, ok := transforms[name]; ok {
			out := make([]float64, len(v.values))
			before := t.begin
			for i, x := range v.values {
				before = t.next(before, x)
				out[i] = before
			}
			return c.vector(out)
		}
		r := reductions[name]
		if _, err := c.floats("the vector", v, r.least); err != nil {
			return nil, err
		}
		return c.number(r.of(v.values))
	}), nil
}

// vector(values) converts a list of numbers into a vector.
func vector(c call) (starlark.Value, error) {
	var v starlark.Value
	if err := c.unpack(&v); err != nil {
		return nil, err
	}
	f, err := c.floats("values", v, 0)
	if err != nil {
		return nil, err
	}
	return NewVector(f), nil
}
