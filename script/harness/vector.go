package harness

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Vector is an immutable sequence of finite numbers, oldest first. Slices share its
// memory.
type Vector struct{ values []float64 }

var (
	_ starlark.Sequence   = (*Vector)(nil)
	_ starlark.Sliceable  = (*Vector)(nil)
	_ starlark.HasBinary  = (*Vector)(nil)
	_ starlark.HasUnary   = (*Vector)(nil)
	_ starlark.HasAttrs   = (*Vector)(nil)
	_ starlark.Comparable = (*Vector)(nil)
)

// NewVector wraps values, which must not be changed afterwards.
func NewVector(values []float64) *Vector { return &Vector{values} }

// Values returns the vector's own memory, which the caller must not change.
func (v *Vector) Values() []float64 { return v.values }

// String shows at most ten values.
func (v *Vector) String() string {
	var b strings.Builder
	b.WriteString("vector([")
	for i, x := range v.values {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == 10 {
			fmt.Fprintf(&b, "… %d in all", len(v.values))
			break
		}
		b.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
	}
	b.WriteString("])")
	return b.String()
}

// Type returns "vector".
func (v *Vector) Type() string { return "vector" }

// Freeze does nothing: vectors do not change.
func (v *Vector) Freeze() {}

// Truth reports whether there is any value.
func (v *Vector) Truth() starlark.Bool { return len(v.values) > 0 }

// Hash fails, as for a list.
func (v *Vector) Hash() (uint32, error) { return 0, errors.New("unhashable type: vector") }

// Len returns the number of values.
func (v *Vector) Len() int { return len(v.values) }

// Index returns value i.
func (v *Vector) Index(i int) starlark.Value { return starlark.Float(v.values[i]) }

// Slice returns a view, or a copy if step is not 1.
func (v *Vector) Slice(start, end, step int) starlark.Value {
	if step == 1 {
		return &Vector{v.values[start:end:end]}
	}
	var out []float64
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		out = append(out, v.values[i])
	}
	return &Vector{out}
}

// Iterate returns an iterator over the values.
func (v *Vector) Iterate() starlark.Iterator { return &vectorIterator{v.values} }

type vectorIterator struct{ rest []float64 }

func (i *vectorIterator) Next(p *starlark.Value) bool {
	if len(i.rest) == 0 {
		return false
	}
	*p = starlark.Float(i.rest[0])
	i.rest = i.rest[1:]
	return true
}

func (i *vectorIterator) Done() {}

// CompareSameType always fails: Python's libraries do not agree on whether
// comparing two vectors gives one result or one per element.
func (v *Vector) CompareSameType(syntax.Token, starlark.Value, int) (bool, error) {
	return false, errors.New("vectors cannot be compared with each other; compare their elements or reductions")
}

// Unary returns −v or +v.
func (v *Vector) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		return v, nil
	case syntax.MINUS:
		out := make([]float64, len(v.values))
		for i, x := range v.values {
			out[i] = -x
		}
		return &Vector{out}, nil
	}
	return nil, nil
}

// Binary computes + − * / with a number or with a vector of the same length,
// element by element.
func (v *Vector) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	f, ok := operations[op]
	if !ok {
		return nil, nil
	}
	out := make([]float64, len(v.values))
	if w, both := y.(*Vector); both {
		if len(w.values) != len(v.values) {
			return nil, fmt.Errorf("vectors of %d and %d values cannot be combined; take the last n of each: v[-n:]", len(v.values), len(w.values))
		}
		for i, x := range v.values {
			out[i] = f(x, w.values[i])
		}
		return checked(op, out)
	}
	n, ok := starlark.AsFloat(y)
	if !ok {
		return nil, nil
	}
	if side == starlark.Left {
		for i, x := range v.values {
			out[i] = f(x, n)
		}
	} else {
		for i, x := range v.values {
			out[i] = f(n, x)
		}
	}
	return checked(op, out)
}

var operations = map[syntax.Token]func(x, y float64) float64{
	syntax.PLUS:  func(x, y float64) float64 { return x + y },
	syntax.MINUS: func(x, y float64) float64 { return x - y },
	syntax.STAR:  func(x, y float64) float64 { return x * y },
	syntax.SLASH: func(x, y float64) float64 { return x / y },
}

func checked(op syntax.Token, out []float64) (starlark.Value, error) {
	for i, x := range out {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("vector %s: element %d of the result is not a finite number", op, i)
		}
	}
	return &Vector{out}, nil
}
