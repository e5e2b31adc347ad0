package sandbox

import (
	"time"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// Job is one execution of a script.
type Job struct {
	// Account is who computes: accounts share the children.
	Account string
	// Long says that the job was displaced before, which happens once.
	Long   bool
	Kind   string // of the script, by name; a model where ""
	Source string
	Inputs map[string]any // bound: every input with its value
	Frame  *timeseries.Frame
	Limits Limits
	// Causality asks for the run to be repeated on bars that end at some of its
	// decision sessions. The repetitions have the limits of the run once more.
	Causality bool
	// Progress, where set, is told how far the run is, in sessions, and its check
	// of causality, of CausalityTotal: now and then, from another goroutine, until
	// Run returns.
	Progress func(stage Stage, done, total int)
	// Earlier is a result of the same script and inputs over a frame that was the
	// same up to its state, which the caller holds the frame to: the run goes on
	// from there, and gives what it would give from the beginning. Such a job asks
	// for no causality.
	Earlier *backtest.Result
}

// Limits bound one execution; zero values take the pool's defaults.
type Limits struct {
	Deadline time.Duration // wall time
	Memory   int64         // bytes of the child's memory, its runtime's included, the frame's not
	Steps    uint64        // of the interpreter
}

// or returns l with the zero values taken from d.
func (l Limits) or(d Limits) Limits {
	if l.Deadline == 0 {
		l.Deadline = d.Deadline
	}
	if l.Memory == 0 {
		l.Memory = d.Memory
	}
	if l.Steps == 0 {
		l.Steps = d.Steps
	}
	return l
}

// standard are the limits where neither the job nor the pool gives any; the
// interpreter has its own for steps.
var standard = Limits{Deadline: time.Minute, Memory: 1 << 30}

// Outcome is what a finished script leaves. The caller releases it.
type Outcome struct {
	Tables  []Table          // of a model DailyTable and LedgerTable
	Summary backtest.Summary // of a model
	Scalars []script.Scalar  // of other kinds
	Figures []script.Figure  // likewise
	Log     []string
	CPU     time.Duration // processor time in the child
	Steps   uint64
	// Causality is the verdict that the job asked for, nil without.
	Causality *backtest.Causality
}
