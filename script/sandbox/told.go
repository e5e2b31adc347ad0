package sandbox

import (
	"context"
	"errors"
	"time"
)

// told turns the error of a run into what its caller may see.
func (p *Pool) told(ctx context.Context, err error, cpu time.Duration) error {
	var (
		failed *failure
		bad    *damagedError
		died   *diedError
	)
	switch {
	case errors.As(err, &failed):
		return failed
	case p.closing.Err() != nil && ctx.Err() == nil:
		return ErrClosed
	case errors.As(err, &bad):
		p.log.ErrorContext(ctx, "sandbox returned a damaged result", "error", err)
		return &failure{Type: internal, Message: "The sandbox returned a damaged result. Run it again; tell the operator the run's id if it fails again."}
	case errors.As(err, &died):
		p.log.ErrorContext(ctx, "sandbox process died twice in one run", "error", err)
		return &failure{Type: internal, Message: "The sandbox process died. Run it again; tell the operator the run's id if it fails again."}
	}
	return err
}

// endOf names the end of a run for the metrics.
func endOf(err error) string {
	var failed *failure
	switch {
	case err == nil:
		return "complete"
	case errors.As(err, &failed):
		return failed.Type
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "canceled"
	}
	return "error"
}
