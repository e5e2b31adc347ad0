package harness

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"ballast/script/internal/signature"
)

// call is one call of a function in a script.
type call struct {
	name      string
	signature *signature.Signature
	args      starlark.Tuple
	kwargs    []starlark.Tuple
	thread    *starlark.Thread
}

// unpack reads the arguments, or their defaults, into targets, one per parameter
// of the function's signature.
func (c call) unpack(targets ...any) error {
	return c.signature.Unpack(c.args, c.kwargs, targets...)
}

// real is an argument that accepts any finite number.
type real float64

// Unpack implements starlark.Unpacker.
func (r *real) Unpack(v starlark.Value) error {
	f, err := finite(v)
	*r = real(f)
	return err
}

// errorf returns an error that starts with the function's name.
func (c call) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %s", c.name, fmt.Sprintf(format, args...))
}

// number returns a number as a result, or an error if it is not finite.
func (c call) number(v float64) (starlark.Value, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, c.errorf("the result is not a finite number")
	}
	return starlark.Float(v), nil
}

// floats reads a vector or a list of numbers, of at least least values. The
// result may share memory with the vector.
func (c call) floats(what string, v starlark.Value, least int) ([]float64, error) {
	f, err := floatsOf(v)
	if err != nil {
		return nil, c.errorf("%s: %v", what, err)
	}
	if len(f) < least {
		return nil, c.errorf("%s has %d %s, but %d are needed; test ctx.sessions(symbol) first", what, len(f), plural(len(f), "value"), least)
	}
	return f, nil
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func floatsOf(v starlark.Value) ([]float64, error) {
	switch v := v.(type) {
	case *Vector:
		return v.values, nil
	case *starlark.List:
		f := make([]float64, v.Len())
		for i := range f {
			x, err := finite(v.Index(i))
			if err != nil {
				return nil, fmt.Errorf("element %d %w", i, err)
			}
			f[i] = x
		}
		return f, nil
	case starlark.Tuple:
		return floatsOf(starlark.NewList(v))
	}
	return nil, fmt.Errorf("is a %s; a vector or a list of numbers is needed", v.Type())
}

// finite reads a number.
func finite(v starlark.Value) (float64, error) {
	f, ok := starlark.AsFloat(v)
	if !ok {
		return 0, fmt.Errorf("is a %s; a number is needed", v.Type())
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("is %v; a finite number is needed", f)
	}
	return f, nil
}

// keyed is a dictionary from symbols to numbers, in order.
type keyed struct {
	symbols []string
	values  []float64
}

// numbers reads a dictionary from symbols to numbers.
func (c call) numbers(what string, v starlark.Value) (keyed, error) {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return keyed{}, c.errorf("%s is a %s; a dictionary by symbol is needed", what, v.Type())
	}
	k := keyed{make([]string, 0, d.Len()), make([]float64, 0, d.Len())}
	for _, item := range d.Items() {
		s, ok := starlark.AsString(item[0])
		if !ok {
			return keyed{}, c.errorf("%s has the key %s, which is not a symbol", what, item[0])
		}
		f, err := finite(item[1])
		if err != nil {
			return keyed{}, c.errorf("%s: %s %v", what, s, err)
		}
		k.symbols = append(k.symbols, s)
		k.values = append(k.values, f)
	}
	return k, nil
}

// at returns the value of a symbol, and whether there is one.
func (k keyed) at(symbol string) (float64, bool) {
	if i := slices.Index(k.symbols, symbol); i >= 0 {
		return k.values[i], true
	}
	return 0, false
}

// dict returns a dictionary as a result, or an error if a value is not finite.
func (c call) dict(k keyed) (starlark.Value, error) {
	for i, x := range k.values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, c.errorf("the result for %s is not a finite number", k.symbols[i])
		}
	}
	return k.dict(), nil
}

// dict converts k into a dictionary of the script.
func (k keyed) dict() *starlark.Dict {
	d := starlark.NewDict(len(k.symbols))
	for i, s := range k.symbols {
		// A string is hashable and the dictionary is not frozen, so SetKey cannot fail.
		_ = d.SetKey(starlark.String(s), starlark.Float(k.values[i]))
	}
	return d
}
