package history

import (
	"ballast/metrics"
	"ballast/timeseries"
)

// History is a window of a run's result. Per-day columns have one entry per date.
// They are shared with caches and among blocks, and must not be changed. A block is
// nil if it was not asked for.
type History struct {
	ModelID      string
	RunID        string
	AsOf         timeseries.Date
	Base         timeseries.Date // the session before the first date; the first return is measured from its close
	Dates        []timeseries.Date
	Note         string // why there are no dates; "" if there are some
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

// Weight is the weight of one key.
type Weight struct {
	Key   string
	Value float64
}
