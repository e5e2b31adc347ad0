package history

import (
	"ballast/metrics"
	"ballast/timeseries"
)

// History is a window of a run's result. Per-day columns have one entry a date;
// they are shared with caches and among blocks, and are not to be written to.
// A block is nil where it was not asked for.
type History struct {
	ModelID      string
	RunID        string
	AsOf         timeseries.Date
	Base         timeseries.Date // the session before Start, on whose close the first return is earned
	Dates        []timeseries.Date
	Note         string // why there are no dates, "" where there are
	Labels       []Label
	Returns      []float64
	Allocation   *Allocation
	Tree         *Node
	Latest       *Latest
	Custom       *Custom
	Metrics      *metrics.Block
	Beside       *Beside
	Fees         *Fees
	Contribution *Contribution
	Timing       *Timing
}

// Weights are fractions of equity by key, in a fixed order.
type Weights []Weight

// Weight is one key's.
type Weight struct {
	Key   string
	Value float64
}
