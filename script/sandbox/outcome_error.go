package sandbox

import (
	"context"
	"errors"
	"time"

	"ballast/script"
)

// outcomeError converts the error of a run into one that its caller may see.
func (p *Pool) outcomeError(ctx context.Context, err error, cpu time.Duration) error {
	var (
		failed *failure
		bad    *damagedError
		died   *diedError
	)
	switch {
	case errors.As(err, &failed):
		return failed.runError(cpu)
	case p.closing.Err() != nil && ctx.Err() == nil:
		return ErrClosed
	case errors.As(err, &bad):
		p.log.ErrorContext(ctx, "sandbox returned a damaged result", "error", err)
		return &script.RunError{Type: script.InternalError, Message: "the sandbox returned a damaged result: start the run again, and tell the operator if it fails again", CPU: cpu}
	case errors.As(err, &died):
		p.log.ErrorContext(ctx, "sandbox process died twice in one run", "error", err)
		return &script.RunError{Type: script.InternalError, Message: "the sandbox process died: start the run again, and tell the operator if it fails again", CPU: cpu}
	}
	if ctx.Err() != nil {
		return &Stopped{CPU: cpu, Err: err}
	}
	return err
}

// Stopped is the error of a run that ended because its caller's context was done.
type Stopped struct {
	CPU time.Duration // processor time in the child until then
	Err error         // the context's
}

func (s *Stopped) Error() string { return "the run was stopped: " + s.Err.Error() }

// Unwrap returns the context's error.
func (s *Stopped) Unwrap() error { return s.Err }

// endOf names the end of a run for the metrics: complete, the type of its run
// error, canceled, displaced or error.
func endOf(err error) string {
	var failed *script.RunError
	switch {
	case err == nil:
		return "complete"
	case errors.As(err, &failed):
		return string(failed.Type)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "canceled"
	case errors.Is(err, ErrDisplaced):
		return "displaced"
	}
	return "error"
}
