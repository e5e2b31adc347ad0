package script

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"

	"ballast/script/dialect"
)

// RunnerLimits limit the script of one run. Zero values take the defaults.
type RunnerLimits struct {
	Steps    uint64 // of the interpreter, over the whole run; default 200 million
	LogLines int    // default 1,000
	LogBytes int    // default 64 KiB
}

const (
	defaultSteps    = 200_000_000
	defaultLogLines = 1000
	defaultLogBytes = 64 << 10
)

// machine interprets one script within limits. Except for Cancel, it must be
// used from one goroutine.
type machine struct {
	script   *Script
	thread   *starlark.Thread
	entry    *starlark.Function
	log      *logbook
	silent   bool          // drops what the script logs
	day      func() string // the date of the current session, or ""
	steps    bool          // whether the step limit was reached
	canceled atomic.Pointer[string]
}

// newMachine prepares a machine; start then runs the script's top level.
func newMachine(p *Script, limits RunnerLimits, day func() string) *machine {
	if limits.Steps == 0 {
		limits.Steps = defaultSteps
	}
	if limits.LogLines == 0 {
		limits.LogLines = defaultLogLines
	}
	if limits.LogBytes == 0 {
		limits.LogBytes = defaultLogBytes
	}
	r := &machine{script: p, day: day, log: &logbook{left: limits.LogLines, leftBytes: limits.LogBytes}}
	r.thread = &starlark.Thread{
		Name:  dialect.FileName,
		Print: func(_ *starlark.Thread, text string) { r.print(text) },
		OnMaxSteps: func(t *starlark.Thread) {
			r.steps = true
			t.Cancel("too many steps")
		},
	}
	r.thread.SetMaxExecutionSteps(limits.Steps)
	r.thread.SetLocal(stepsKey, limits.Steps)
	return r
}

// start runs the script's top level and finds its entry point. Errors are
// *RunError.
func (r *machine) start() error {
	entry, err := r.script.load(r.thread)
	if err != nil {
		return r.failure(err)
	}
	r.entry = entry
	return nil
}

// load runs the top level of the script on a thread and returns its entry point.
func (p *Script) load(thread *starlark.Thread) (*starlark.Function, error) {
	predeclared := make(starlark.StringDict, len(p.imports)+len(builtins)+len(dialect.Operators))
	for name, v := range dialect.Operators {
		predeclared[name] = v
	}
	for name, v := range builtins {
		predeclared[name] = v
	}
	for _, i := range p.imports {
		predeclared[i.Local] = i.Value()
	}
	globals, err := p.compiled.Init(thread, predeclared)
	if err != nil {
		return nil, err
	}
	globals.Freeze() // a call must not leave state for the next
	entry, ok := globals[p.Kind.EntryPoint].(*starlark.Function)
	if !ok {
		return nil, errors.New(p.Kind.EntryPoint + " is not a function")
	}
	return entry, nil
}

// Cancel ends the script at its next step. The reason is a RunErrorType, or the
// message of a time limit. It is safe to call from any goroutine.
func (r *machine) Cancel(reason string) {
	r.canceled.CompareAndSwap(nil, &reason)
	r.thread.Cancel(reason)
}

// Log returns what the script wrote with print and ctx.log, one element per
// line.
func (r *machine) Log() []string { return r.log.lines }

// Steps returns the number of steps that the interpreter has taken so far.
func (r *machine) Steps() uint64 { return r.thread.ExecutionSteps() }

func (r *machine) print(text string) {
	if !r.silent {
		r.log.add(r.day(), text)
	}
}

// mostSteps is the limit of steps.
func (r *machine) mostSteps() uint64 {
	most, _ := r.thread.Local(stepsKey).(uint64)
	return most
}

// failure converts an error of the interpreter into a run error.
func (r *machine) failure(err error) *RunError {
	e := &RunError{Type: ScriptError, Message: err.Error(), Date: r.day()}
	var eval *starlark.EvalError
	if errors.As(err, &eval) {
		e.Message = dialect.Explained(dialect.OfFunction(eval))
	}
	switch reason := r.canceled.Load(); {
	case r.steps:
		e.Type, e.Message = StepLimit, "the script took more steps than a run may take: look for a loop that does not end, or do less in each decision"
	case reason != nil:
		e.Type, e.Message = TimeLimit, *reason
		for _, t := range []RunErrorType{MemoryLimit, TimeLimit, StepLimit, DataError, InternalError} {
			if string(t) == *reason {
				e.Type, e.Message = t, limitMessages[t]
			}
		}
	}
	if eval != nil {
		e.Line, e.Traceback = r.trace(eval, e.Message)
	}
	return e
}

var limitMessages = map[RunErrorType]string{
	MemoryLimit:   "the script used more memory than a run may use",
	TimeLimit:     "the run took longer than its time limit",
	StepLimit:     "the script took more steps than a run may take",
	DataError:     "the run was stopped because of an error in its data",
	InternalError: "the run was stopped by the service",
}

const maxTraceLines = 20

// trace formats the calls as Python does, with the script's own lines and the
// message. line is the innermost line of the script.
func (r *machine) trace(e *starlark.EvalError, message string) (line int, text string) {
	lines := strings.Split(r.script.text, "\n")
	var b strings.Builder
	b.WriteString("Traceback (most recent call last):\n")
	stack := e.CallStack
	for i, frame := range stack {
		n := int(frame.Pos.Line)
		if frame.Pos.Filename() != dialect.FileName || n < 1 || n > len(lines) {
			continue
		}
		line = n
		if i >= maxTraceLines {
			continue
		}
		name := frame.Name
		if name == "<toplevel>" {
			name = "the script"
		}
		fmt.Fprintf(&b, "  line %d, in %s\n    %s\n", n, name, strings.TrimSpace(lines[n-1]))
	}
	fmt.Fprintf(&b, "Error: %s", message)
	return line, b.String()
}
