package script

import (
	"errors"
	"math"

	"go.starlark.net/starlark"
)

// looping are the built-in functions that loop over their arguments within one
// step of the interpreter. Left alone, they would neither count steps nor stop
// when the run is canceled.
var looping = []string{"all", "any", "dict", "enumerate", "list", "max", "min", "reversed", "set", "sorted", "sum", "tuple", "zip"}

// charged returns functions with each looping function wrapped: the wrapper
// charges one step for each element of the arguments before the function
// starts.
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

// elements is the number of elements that a function goes over. zip stops at
// its shortest argument.
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

// stepsKey names the thread-local copy of the step limit, which the interpreter
// does not expose.
const stepsKey = "steps"

var errSteps = errors.New("too many steps")

// charge counts n steps and ends the script if that exceeds its limit.
func charge(thread *starlark.Thread, n uint64) error {
	limit, ok := thread.Local(stepsKey).(uint64)
	if ok && n >= limit-min(thread.Steps, limit) {
		thread.OnMaxSteps(thread)
		return errSteps
	}
	thread.Steps += n
	return nil
}
