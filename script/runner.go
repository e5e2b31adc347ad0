package script

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"ballast/backtest"
	"ballast/timeseries"
)

// Runner takes the decisions of one run; it is the engine's Decider. It is for
// one goroutine, but for Cancel.
type Runner struct {
	*machine
	ctx       *scriptContext
	args      starlark.Tuple
	positions map[string]int // of members by symbol
	line      int            // of what decide returns
}

var _ backtest.Decider = (*Runner)(nil)

// NewRunner runs the script's top level and makes it ready to decide over frame,
// whose members are the universe of inputs. It fails with a *RunError.
func NewRunner(p *Script, inputs Inputs, frame *timeseries.Frame, limits RunnerLimits) (*Runner, error) {
	r := &Runner{positions: make(map[string]int, len(frame.Members)), line: p.answer}
	for i := range frame.Members {
		r.positions[frame.Members[i].Key] = i
	}
	r.ctx = newContext(r, inputs, frame)
	r.args = starlark.Tuple{r.ctx}
	r.machine = newMachine(p, limits, r.ctx.day)
	if err := r.start(); err != nil {
		return nil, err
	}
	return r, nil
}

// Decide calls the script's decide with the past up to the session and writes
// the weights that it returns into target. Errors are *RunError, and where the
// runner repeats another *backtest.ViewError.
func (r *Runner) Decide(s *backtest.Session, target []float64) (bool, error) {
	r.ctx.begin(s)
	v, err := starlark.Call(r.thread, r.entry, r.args, nil)
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
				r.line, strings.TrimSpace(Lines(r.script.text)[r.line-1]), err),
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
