package history

import (
	"context"

	"ballast/program/result"
	"ballast/timeseries"
)

// Allocation is daily weights at the close, and the trades that led to them.
type Allocation struct {
	Keys       []string    // tickers in universe order, CASH last
	Weights    [][]float64 // by key, then by date
	Rebalances []result.Rebalance
}

// allocation adds up the parts of the run by ticker, and reads the trades. end is the
// last date that was asked for.
func (w *window) allocation(ctx context.Context, parts []*Node, end timeseries.Date) (*Allocation, error) {
	leaves := flatten(parts)
	a := &Allocation{Keys: leaves.Keys, Weights: leaves.Values}
	var err error
	a.Rebalances, err = w.rebalances(ctx, end)
	return a, err
}

// rebalances returns the trades that were filled in the window. A window that starts
// with the model includes its first trade, which is filled on the base. end is the
// last date that was asked for, which may be before the base.
func (w *window) rebalances(ctx context.Context, end timeseries.Date) ([]result.Rebalance, error) {
	l, err := w.results.Ledger(ctx, w.run)
	if err != nil {
		return nil, err
	}
	begin := w.daily.Dates[w.from]
	if w.from > 0 {
		begin++
	}
	last := w.daily.Dates[w.to-1]
	if end != timeseries.NoDate {
		last = min(end, last)
	}
	return l.Between(begin, last), nil
}
