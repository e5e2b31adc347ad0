package sandbox

import (
	"encoding/json"
	"time"

	"ballast/backtest"
	"ballast/script"
	"ballast/script/harness"
	"ballast/timeseries"
)

// Job is one execution of a script.
type Job struct {
	// Account is the account that runs the job. The children are shared fairly
	// between accounts.
	Account string
	// Long says that the job was displaced once; it is not displaced again.
	Long   bool
	Kind   string // name of the script's kind; "" is a model
	Source string
	Inputs map[string]any // bound: every input with its value
	Frame  *timeseries.Frame
	Limits Limits
	// Causality repeats the run on bars that end at some of its decision sessions.
	// The repetitions together have the time and memory of the run once more, and
	// each of them has its steps.
	Causality bool
	// Optimizers are the definitions that the script may use, as JSON by name.
	Optimizers map[string]json.RawMessage
	// Current are the weights that are held, for a job that is an optimizer.
	Current map[string]float64
	// Path asks for one path of a simulation, from 0, instead of the whole result.
	Path *int
	// Points asks for one run of a model for each of them, instead of the whole result.
	// Each gives some inputs other values; Limits apply to each run. The outcome has at
	// least the first point, and as many more as Slice allows.
	Points []map[string]any
	Slice  time.Duration
	// Swept are the sweeps that an analysis has asked for so far.
	Swept []script.Swept
	// Progress, if set, is called from time to time, from another goroutine, until
	// Run returns. The total is the number of sessions for the run, and
	// CausalityTotal for the causality check.
	Progress func(stage Stage, done, total int)
	// Earlier is a result of the same script and inputs. The run continues from its
	// state and gives the same result as a run from the beginning. The caller must
	// make sure that the frame is unchanged up to that state. Causality must be
	// false.
	Earlier *backtest.Result
}

// Limits limit one execution. Zero values take the pool's defaults.
type Limits struct {
	Deadline time.Duration // wall time
	Memory   int64         // bytes of the child's memory, including its runtime but not the frame
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

// standard are the limits if neither the job nor the pool sets any. The
// interpreter has its own default for steps.
var standard = Limits{Deadline: time.Minute, Memory: 1 << 30}

// Outcome is the result of a finished script. The caller must release it.
type Outcome struct {
	Tables  []Table          // for a model DailyTable and LedgerTable
	Summary backtest.Summary // for a model
	Scalars []script.Scalar  // for other kinds
	Figures []script.Figure  // for other kinds
	Drawn   *script.Drawn    // for other kinds, or nil
	// Wants is the sweep that an analysis lacks: there is nothing else then.
	Wants  *script.Sweep
	Keep   []script.Kept // points of Job.Swept that an analysis keeps as runs
	Points []Point       // for a job with points
	Log    []string
	CPU    time.Duration // processor time in the child
	Steps  uint64
	// Optimizers are those that the script has used, by name.
	Optimizers map[string]harness.OptimizerUse
	// Causality is the verdict, or nil if the job did not ask for one.
	Causality *backtest.Causality
}
