package script

import (
	"context"
	"sync/atomic"

	"go.starlark.net/starlark"
)

// Caller calls the entry point of a script that is not a model, as often as its
// kind requires. It must be used from one goroutine.
type Caller struct {
	*machine
	ctx    context.Context
	limits RunnerLimits
	taken  *atomic.Uint64 // steps of this caller and of those that share with it
}

// NewCaller runs the script's top level. When ctx is done, the script ends at
// its next step. Errors are *RunError.
func NewCaller(ctx context.Context, p *Script, limits RunnerLimits) (*Caller, error) {
	c := &Caller{machine: newMachine(p, limits, func() string { return "" }), ctx: ctx, limits: limits, taken: &atomic.Uint64{}}
	context.AfterFunc(ctx, func() { c.Cancel(string(TimeLimit)) })
	if err := c.counted(c.start); err != nil {
		return nil, err
	}
	return c, nil
}

// Fork returns another caller of the same script for another goroutine. Both write
// to the same log, so only one of them may be allowed to log at a time, and the steps
// of their calls count together. A fork is silent at first.
func (c *Caller) Fork() (*Caller, error) {
	fork := &Caller{machine: newMachine(c.script, c.limits, c.day), ctx: c.ctx, limits: c.limits, taken: c.taken}
	fork.log, fork.silent = c.log, true
	context.AfterFunc(c.ctx, func() { fork.Cancel(string(TimeLimit)) })
	if err := fork.start(); err != nil { // not counted: a run's steps do not depend on its forks
		return nil, err
	}
	return fork, nil
}

// Script returns the script that is called.
func (c *Caller) Script() *Script { return c.script }

// Silence drops what the script logs from now on, or stops doing so.
func (c *Caller) Silence(silent bool) { c.silent = silent }

// Print adds a line to the log.
func (c *Caller) Print(text string) { c.print(text) }

// Steps returns the number of steps that this caller and its forks have taken.
func (c *Caller) Steps() uint64 { return c.taken.Load() }

// Call calls the entry point with its context. Errors are *RunError.
func (c *Caller) Call(scriptContext starlark.Value) (starlark.Value, error) {
	var v starlark.Value
	err := c.counted(func() (err error) {
		if v, err = starlark.Call(c.thread, c.entry, starlark.Tuple{scriptContext}, nil); err != nil {
			err = c.failure(err)
		}
		return err
	})
	return v, err
}

// Try is Call for work that does not count: neither its steps nor its failure.
func (c *Caller) Try(scriptContext starlark.Value) (starlark.Value, error) {
	return starlark.Call(c.thread, c.entry, starlark.Tuple{scriptContext}, nil)
}

// counted does work on the thread, and counts its steps among those of all forks.
func (c *Caller) counted(work func() error) error {
	before := c.thread.ExecutionSteps()
	err := work()
	taken := c.taken.Add(c.thread.ExecutionSteps() - before)
	if most := c.mostSteps(); err == nil && taken > most {
		return &RunError{Type: StepLimit, Message: limitMessages[StepLimit]}
	}
	return err
}
