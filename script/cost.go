package script

import (
	"errors"
	"math"

	"go.starlark.net/starlark"
)

// looping are the built-in functions that go over their arguments within one
// step of the interpreter, and so neither count nor can be stopped on the way.
var looping = []string{"all", "any", "dict", "enumerate", "list", "max", "min", "reversed", "set", "sorted", "sum", "tuple", "zip"}

// charged returns functions with those that loop in place, each of which counts
// a step an element of its arguments, before it looks at the first.
func charged(functions starlark.StringDict) starlark.StringDict {
	for _, name := range looping {
		inner, ok := functions[name]
		if !ok {
			inner = starlark.Universe[name]
		}
		f := inner.(*starlark.Builtin)
		functions[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := charge(thread, elements(name, args)); err != nil {
				return nil, err
			}
			return f.CallInternal(thread, args, kwargs)
		})
	}
	return functions
}

// elements is how many a function goes over: zip ends with its shortest argument.
func elements(name string, args starlark.Tuple) uint64 {
	var total uint64
	least := uint64(math.MaxUint64)
	for _, arg := range args {
		if n := starlark.Len(arg); n >= 0 {
			total += uint64(n)
			least = min(least, uint64(n))
		}
	}
	if name == "zip" && len(args) > 0 {
		return least
	}
	return total
}

// stepsKey is the name of a thread's limit, which the interpreter keeps to itself.
const stepsKey = "steps"

var errSteps = errors.New("too many steps")

// charge counts n steps, and ends the script where that is more than it may take.
func charge(thread *starlark.Thread, n uint64) error {
	limit, ok := thread.Local(stepsKey).(uint64)
	if ok && n >= limit-min(thread.Steps, limit) {
		thread.OnMaxSteps(thread)
		return errSteps
	}
	thread.Steps += n
	return nil
}
