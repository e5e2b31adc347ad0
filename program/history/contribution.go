package history

import (
	"context"

	"ballast/program/result"
)

// Contribution is what each of the model's own members, and CASH, added to each day's
// return.
type Contribution struct {
	result.Columns
	Total []float64 // the day's return
}

// contribution reads what the run's own members added to each day's return.
func (w *window) contribution(ctx context.Context) (*Contribution, error) {
	c, err := w.results.Keyed(ctx, w.run, result.PartContributions)
	if err != nil {
		return nil, err
	}
	w.names.cash()
	return &Contribution{Columns: c.Cut(w.from+1, w.to), Total: w.returns()}, nil
}
