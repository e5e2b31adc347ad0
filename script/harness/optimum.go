package harness

import (
	"runtime"
	"slices"
	"sync"
	"weak"

	"go.starlark.net/starlark"
)

// optima remembers, for each dictionary that an optimiser has returned and the script
// still holds, how to solve its problem again. So a cap of an optimiser's weights is a
// limit of the problem: the weights are the best of those that satisfy it, rather than
// cut to it.
type optima struct {
	mu sync.Mutex // the runtime forgets dictionaries on a goroutine of its own
	of map[weak.Pointer[starlark.Dict]]problem
}

type problem struct {
	bounds  bounds
	weights []float64
	solve   func(call, bounds) ([]float64, error)
}

const optimaKey = "harness.optima"

// optimum solves a problem, and returns its weights as a dictionary that cap can limit.
func (c call) optimum(b bounds, solve func(call, bounds) ([]float64, error)) (starlark.Value, error) {
	if len(b.symbols) == 0 {
		return starlark.NewDict(0), nil
	}
	w, err := solve(c, b)
	if err != nil {
		return nil, err
	}
	v, err := c.dict(keyed{b.symbols, w})
	if err != nil {
		return nil, err
	}
	known, ok := c.thread.Local(optimaKey).(*optima)
	if !ok {
		known = &optima{of: make(map[weak.Pointer[starlark.Dict]]problem)}
		c.thread.SetLocal(optimaKey, known)
	}
	d := v.(*starlark.Dict)
	key := weak.Make(d)
	known.mu.Lock()
	defer known.mu.Unlock()
	known.of[key] = problem{b, w, solve}
	runtime.AddCleanup(d, func(key weak.Pointer[starlark.Dict]) {
		known.mu.Lock()
		defer known.mu.Unlock()
		delete(known.of, key)
	}, key)
	return d, nil
}

// problemOf returns the problem that weights solve, unless the script has changed them
// since.
func (c call) problemOf(v starlark.Value, weights keyed) (problem, bool) {
	d, isDict := v.(*starlark.Dict)
	known, any := c.thread.Local(optimaKey).(*optima)
	if !isDict || !any {
		return problem{}, false
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	p, ok := known.of[weak.Make(d)]
	return p, ok && slices.Equal(p.bounds.symbols, weights.symbols) && slices.Equal(p.weights, weights.values)
}
