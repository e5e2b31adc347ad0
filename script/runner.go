package script

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"

	"ballast/backtest"
	"ballast/timeseries"
)

// RunnerLimits bound what one run's script does; zero values take the defaults.
type RunnerLimits struct {
	Steps    uint64 // of the interpreter, over the whole run; 200 million
	LogLines int    // 1,000
	LogBytes int    // 64 KiB
}

const (
	defaultSteps    = 200_000_000
	defaultLogLines = 1000
	defaultLogBytes = 64 << 10
)

// Runner takes the decisions of one run; it is the engine's Decider. It is for
// one goroutine, but for Cancel.
type Runner struct {
	program   *Program
	thread    *starlark.Thread
	decide    starlark.Value
	ctx       *scriptContext
	args      starlark.Tuple
	log       logbook
	steps     bool // the step limit was reached
	canceled  atomic.Pointer[string]
	positions map[string]int // of members by symbol
	line      int            // of what decide returns
}

var _ backtest.Decider = (*Runner)(nil)

// NewRunner runs the script's top level and makes it ready to decide over frame,
// whose members are the universe of inputs. It fails with a *RunError.
func NewRunner(p *Program, inputs Inputs, frame *timeseries.Frame, limits RunnerLimits) (*Runner, error) {
	if limits.Steps == 0 {
		limits.Steps = defaultSteps
	}
	if limits.LogLines == 0 {
		limits.LogLines = defaultLogLines
	}
	if limits.LogBytes == 0 {
		limits.LogBytes = defaultLogBytes
	}
	r := &Runner{program: p, positions: make(map[string]int, len(frame.Members))}
	r.log = logbook{left: limits.LogLines, leftBytes: limits.LogBytes}
	for i := range frame.Members {
		r.positions[frame.Members[i].Key] = i
	}
	r.ctx = newContext(r, inputs, frame)
	r.args = starlark.Tuple{r.ctx}
	r.thread = &starlark.Thread{
		Name:  fileName,
		Print: func(_ *starlark.Thread, text string) { r.print(text) },
		OnMaxSteps: func(t *starlark.Thread) {
			r.steps = true
			t.Cancel("too many steps")
		},
	}
	r.thread.SetMaxExecutionSteps(limits.Steps)
	r.thread.SetLocal(stepsKey, limits.Steps)
	predeclared := make(starlark.StringDict, len(p.imports)+len(builtins)+len(operators))
	for name, v := range operators {
		predeclared[name] = v
	}
	for name, v := range builtins {
		predeclared[name] = v
	}
	for _, i := range p.imports {
		predeclared[i.local] = i.value()
	}
	globals, err := p.compiled.Init(r.thread, predeclared)
	if err != nil {
		return nil, r.failure(err)
	}
	globals.Freeze() // nothing is carried from one decision to the next
	decide, ok := globals[entryPoint].(*starlark.Function)
	if !ok {
		return nil, &RunError{Type: ScriptError, Message: "decide is not a function"}
	}
	r.decide = decide
	r.line = p.answer
	return r, nil
}

// Decide calls the script's decide with the past up to the session and writes
// the weights that it returns into target. Errors are *RunError, and where the
// runner repeats another *backtest.ViewError.
func (r *Runner) Decide(s *backtest.Session, target []float64) (bool, error) {
	r.ctx.begin(s)
	v, err := starlark.Call(r.thread, r.decide, r.args, nil)
	if r.ctx.views.wrong != nil {
		return false, r.ctx.views.wrong
	}
	if err != nil {
		return false, r.failure(err)
	}
	if v == starlark.None {
		return false, nil
	}
	if err := r.weights(v, target); err != nil {
		return false, &RunError{
			Type: ScriptError, Message: err.Error(), Line: r.line, Date: s.Date.String(),
			Traceback: fmt.Sprintf("Traceback (most recent call last):\n  line %d, in decide\n    %s\nError: %v",
				r.line, strings.TrimSpace(Lines(r.program.text)[r.line-1]), err),
		}
	}
	return true, nil
}

// Continue has the script go on after so many steps, with series that it has
// recorded; it is called before the first decision.
func (r *Runner) Continue(steps uint64, series []string) {
	r.thread.Steps = max(steps, r.thread.Steps)
	for _, name := range series {
		r.ctx.custom[name] = true
	}
}

// Cancel ends the script at its next step; reason is a RunErrorType, or text for
// the message of a time limit. It may be called from any goroutine.
func (r *Runner) Cancel(reason string) {
	r.canceled.CompareAndSwap(nil, &reason)
	r.thread.Cancel(reason)
}

// Log returns what the script wrote with print and ctx.log, a line an element.
func (r *Runner) Log() []string { return r.log.lines }

// Steps returns how many steps the interpreter took so far.
func (r *Runner) Steps() uint64 { return r.thread.ExecutionSteps() }

func (r *Runner) print(text string) { r.log.add(r.ctx.day(), text) }

// failure turns an error of the interpreter into a run error.
func (r *Runner) failure(err error) *RunError {
	e := &RunError{Type: ScriptError, Message: err.Error(), Date: r.ctx.day()}
	var eval *starlark.EvalError
	if errors.As(err, &eval) {
		e.Message = explained(ofFunction(eval))
	}
	switch reason := r.canceled.Load(); {
	case r.steps:
		e.Type, e.Message = StepLimit, "the script took more steps than a run may: look for a loop that does not end, or do less in each decision"
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
	MemoryLimit:   "the script took more memory than a run may",
	TimeLimit:     "the run took longer than its time limit",
	StepLimit:     "the script took more steps than a run may",
	DataError:     "the run was stopped for its data",
	InternalError: "the run was stopped by the service",
}

const maxTraceLines = 20

// trace writes the calls in the way of Python, with the script's own lines, and
// the message.
func (r *Runner) trace(e *starlark.EvalError, message string) (line int, text string) {
	source := strings.Split(r.program.text, "\n")
	var b strings.Builder
	b.WriteString("Traceback (most recent call last):\n")
	stack := e.CallStack
	for i, frame := range stack {
		n := int(frame.Pos.Line)
		if frame.Pos.Filename() != fileName || n < 1 || n > len(source) {
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
		fmt.Fprintf(&b, "  line %d, in %s\n    %s\n", n, name, strings.TrimSpace(source[n-1]))
	}
	fmt.Fprintf(&b, "Error: %s", message)
	return line, b.String()
}
