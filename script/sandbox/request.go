package sandbox

import (
	"fmt"
	"time"

	"github.com/fxamacker/cbor/v2"

	"ballast/timeseries"
)

// request is the control part of a request.
type request struct {
	Source   string         `cbor:"source"`
	Inputs   map[string]any `cbor:"inputs"`
	Deadline time.Duration  `cbor:"deadline"`
	Memory   int64          `cbor:"memory"`
	Steps    uint64         `cbor:"steps"`
	// Causality asks for a second message after a result, the verdict.
	Causality bool `cbor:"causality"`

	frame *timeseries.Frame // in the child: a view of the shared memory
}

// message is a request on its way: its control part and its frame.
type message struct {
	control   []byte
	frame     *sharedFrame
	limits    Limits
	causality bool
	of        *timeseries.Frame
}

// pack encodes a job. The caller closes the message.
func pack(job Job, limits Limits) (*message, error) {
	control, err := cbor.Marshal(request{
		Source: job.Source, Inputs: job.Inputs,
		Deadline: limits.Deadline, Memory: limits.Memory, Steps: limits.Steps,
		Causality: job.Causality,
	})
	if err != nil {
		return nil, fmt.Errorf("encode inputs for the sandbox: %w", err)
	}
	if len(control) > maxControl {
		return nil, fmt.Errorf("script and inputs take %d bytes, more than %d", len(control), maxControl)
	}
	frame, err := share(job.Frame)
	if err != nil {
		return nil, fmt.Errorf("share the frame with the sandbox: %w", err)
	}
	return &message{control: control, frame: frame, limits: limits, causality: job.Causality, of: job.Frame}, nil
}

func (m *message) close() { m.frame.close() }
