package ballast

import (
	"context"
	"time"
)

// WaitForModel reads a model until no work on it is in progress. The status tells whether
// its build succeeded.
func (c *Client) WaitForModel(ctx context.Context, model string) (*Model, error) {
	return waitFor(ctx, func() (*Model, bool, error) {
		m, err := c.GetModel(ctx, model)
		return m, err == nil && m.Run == nil, err
	})
}

// WaitForRun reads a run until it has ended. The status tells whether it is complete.
func (c *Client) WaitForRun(ctx context.Context, runID string) (*Run, error) {
	return waitFor(ctx, func() (*Run, bool, error) {
		r, err := c.GetRun(ctx, runID, nil)
		return r, err == nil && (r.Status == "complete" || r.Status == "failed"), err
	})
}

// waitFor reads something until it is done.
func waitFor[T any](ctx context.Context, read func() (*T, bool, error)) (*T, error) {
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		out, done, err := read()
		if done || err != nil {
			return out, err
		}
		select {
		case <-ctx.Done():
			return out, ctx.Err()
		case <-time.After(pause):
		}
	}
}
