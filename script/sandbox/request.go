package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/fxamacker/cbor/v2"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// request is the control part of a request.
type request struct {
	// Optimizes says that the source is an optimizer's.
	Optimizes bool `cbor:"optimizes"`
	// Current are the weights that are held, for an optimizer.
	Current  map[string]float64 `cbor:"current"`
	Source   string             `cbor:"source"`
	Inputs   map[string]any     `cbor:"inputs"`
	Deadline time.Duration      `cbor:"deadline"`
	Memory   int64              `cbor:"memory"`
	Steps    uint64             `cbor:"steps"`
	// Causality asks for a second message after the result: the verdict.
	Causality bool `cbor:"causality"`
	// State is where the run starts, from backtest.EncodeState; empty for the
	// beginning.
	State []byte `cbor:"state"`
	// Optimizers are definitions as JSON, by name.
	Optimizers map[string]json.RawMessage `cbor:"optimizers"`
	// Path asks for one path of a simulation.
	Path *int `cbor:"path"`
	// Points ask for runs of a model with other inputs, within the time of Slice.
	Points []map[string]any `cbor:"points"`
	Slice  time.Duration    `cbor:"slice"`
	// Swept are sweeps whose returns are in the frame.
	Swept []sweptShape `cbor:"swept"`
	// Notes asks for progress notes.
	Notes bool `cbor:"notes"`

	at    *atomic.Int64     // in the child: the progress for the notes, or nil
	frame *timeseries.Frame // in the child: a view of the shared memory
}

// message is an encoded request: its control part and its frame.
type message struct {
	control   []byte
	frame     *sharedFrame
	limits    Limits
	causality bool
	of        *timeseries.Frame
	earlier   *backtest.Result
	progress  func(stage Stage, done, total int)
	sheet     bool // the script is not a model
	points    int  // how many were asked for
}

// pack encodes a job. The caller must close the message.
func pack(job Job, limits Limits) (*message, error) {
	var state []byte
	if job.Earlier != nil {
		if job.Causality || job.Earlier.State == nil {
			return nil, errors.New("a run that continues an earlier one needs a state and cannot be checked for causality")
		}
		if err := job.Earlier.State.Check(job.Frame); err != nil {
			return nil, fmt.Errorf("the state does not match the frame: %w", err)
		}
		var err error
		if state, err = backtest.EncodeState(job.Earlier.State); err != nil {
			return nil, fmt.Errorf("encode the state for the sandbox: %w", err)
		}
	}
	swept, shared := sharedSweeps(job.Frame, job.Swept)
	control, err := cbor.Marshal(request{
		Optimizes: job.Kind == script.Optimizer.Name, Current: job.Current, Source: job.Source, Inputs: job.Inputs,
		Deadline: limits.Deadline, Memory: limits.Memory, Steps: limits.Steps,
		Causality: job.Causality, Optimizers: job.Optimizers, State: state, Path: job.Path, Notes: job.Progress != nil,
		Points: job.Points, Slice: job.Slice, Swept: swept,
	})
	if err != nil {
		return nil, fmt.Errorf("encode inputs for the sandbox: %w", err)
	}
	if len(control) > maxControl {
		return nil, fmt.Errorf("script, inputs and state take %d bytes; at most %d are accepted", len(control), maxControl)
	}
	frame, err := share(shared)
	if err != nil {
		return nil, fmt.Errorf("share the frame with the sandbox: %w", err)
	}
	return &message{control: control, frame: frame, limits: limits, causality: job.Causality, of: job.Frame, earlier: job.Earlier, progress: job.Progress, sheet: job.Kind != "" && job.Kind != script.Model.Name, points: len(job.Points)}, nil
}

func (m *message) close() { m.frame.close() }
