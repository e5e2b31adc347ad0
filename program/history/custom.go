package history

import (
	"context"
	"math"

	"ballast/program/result"
)

// Custom holds the values that a model's script recorded.
type Custom struct {
	Series result.Columns // NaN on a date without a record
	Values Weights        // the last record of each up to the window's end; NaN if there is none
}

// custom reads what the run's script has recorded. A series whose name is also a key
// in the tree of members gets another key, so the whole tree is read first.
func (w *window) custom(ctx context.Context) (*Custom, error) {
	c, err := w.results.Keyed(ctx, w.run, result.PartCustom)
	if err != nil {
		return nil, err
	}
	out := &Custom{Series: c.Cut(w.from+1, w.to), Values: Weights{}}
	if len(c.Keys) == 0 {
		return out, nil
	}
	tree, err := w.memberRuns(ctx)
	if err != nil {
		return nil, err
	}
	w.names.reserve(w.run, tree)
	for i, name := range c.Keys {
		w.names.custom(name)
		out.Values = append(out.Values, Weight{name, lastRecord(c.Values[i][:w.to])})
	}
	return out, nil
}

// lastRecord returns the last value that is a number, or NaN.
func lastRecord(values []float64) float64 {
	for i := len(values) - 1; i >= 0; i-- {
		if v := values[i]; !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
}
