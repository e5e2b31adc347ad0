package script

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"ballast/backtest"
	"ballast/script/dialect"
	"ballast/script/harness"
	"ballast/timeseries"
)

// Runner makes the decisions of one run; it is the engine's Decider. Except for
// Cancel, it must be used from one goroutine.
type Runner struct {
	*machine
	ctx       *scriptContext
	args      starlark.Tuple
	positions map[string]int // of members by symbol
	line      int            // where decide returns weights, for error messages
}

var _ backtest.Decider = (*Runner)(nil)

// NewRunner runs the script's top level and prepares to decide over frame,
// whose members are the universe of inputs. Errors are *RunError.
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
// the weights that it returns into target. It returns false if the script
// decides not to trade. Errors are *RunError, or *backtest.ViewError if the
// runner repeats another run and sees different values.
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
				r.line, strings.TrimSpace(dialect.Lines(r.script.text)[r.line-1]), err),
		}
	}
	return true, nil
}

// UseOptimizers lets the script use optimizers. It must be called before the first
// decision.
func (r *Runner) UseOptimizers(o *harness.Optimizers) { o.Attach(r.thread) }

// Continue resumes a run that has taken this many steps and recorded these
// series. It must be called before the first decision.
func (r *Runner) Continue(steps uint64, series []string) {
	r.thread.Steps = max(steps, r.thread.Steps)
	for _, name := range series {
		r.ctx.custom[name] = true
	}
}
