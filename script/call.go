package script

import (
	"context"

	"go.starlark.net/starlark"
)

// Caller calls the entry point of a script that is not a model, as often as its
// kind requires. It must be used from one goroutine.
type Caller struct{ *machine }

// NewCaller runs the script's top level. When ctx is done, the script ends at
// its next step. Errors are *RunError.
func NewCaller(ctx context.Context, p *Script, limits RunnerLimits) (*Caller, error) {
	c := &Caller{newMachine(p, limits, func() string { return "" })}
	context.AfterFunc(ctx, func() { c.Cancel(string(TimeLimit)) })
	if err := c.start(); err != nil {
		return nil, err
	}
	return c, nil
}

// Call calls the entry point with its context. Errors are *RunError.
func (c *Caller) Call(scriptContext starlark.Value) (starlark.Value, error) {
	v, err := starlark.Call(c.thread, c.entry, starlark.Tuple{scriptContext}, nil)
	if err != nil {
		return nil, c.failure(err)
	}
	return v, nil
}
