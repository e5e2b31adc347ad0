package harness

import (
	"fmt"
	stdmath "math"

	starlarkmath "go.starlark.net/lib/math"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// mathNames are the members of Python's math module that scripts can use.
var mathNames = []string{
	"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "copysign", "cos", "cosh", "degrees", "e", "exp",
	"fabs", "floor", "gamma", "hypot", "log", "pi", "pow", "radians", "remainder", "sin", "sinh", "sqrt", "tan", "tanh",
}

var mathModule = func() *starlarkstruct.Module {
	m := &starlarkstruct.Module{Name: "math", Members: make(starlark.StringDict)}
	for _, name := range mathNames {
		v := starlarkmath.Module.Members[name]
		if b, ok := v.(*starlark.Builtin); ok {
			v = domain(b)
		}
		m.Members[name] = v
	}
	m.Members["isnan"] = starlark.NewBuiltin("isnan", isNaN)
	m.Freeze()
	return m
}()

// Math returns the module math: the part of Python's on which Python and the
// interpreter agree. As in Python, a result that is not finite is an error.
func Math() *starlarkstruct.Module { return mathModule }

// domain wraps b so that a result that is not finite is an error, as in Python.
func domain(b *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(b.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.CallInternal(thread, args, kwargs)
		if f, ok := v.(starlark.Float); err == nil && ok && (stdmath.IsNaN(float64(f)) || stdmath.IsInf(float64(f), 0)) {
			return nil, fmt.Errorf("math.%s: the result is not a finite number", b.Name())
		}
		return v, err
	})
}

func isNaN(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Float
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "x", &x); err != nil {
		return nil, err
	}
	return starlark.Bool(stdmath.IsNaN(float64(x))), nil
}
