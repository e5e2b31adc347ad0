package history

import (
	"ballast/catalog/backfill"
	"ballast/metrics"
	"ballast/program/result"
	"ballast/timeseries"
)

// HistoryQuery selects blocks and a window of a model's history.
type Query struct {
	Returns, Allocation, Tree, Latest, Custom, Metrics, Fees, Contribution, Timing bool

	RunID      string          // "" the live run
	Start, End timeseries.Date // NoDate where not given
	Full       bool            // everything computed; ignored with Start
	RiskFree   float64         // annual fraction, for metrics
	Benchmark  string          // symbol of an asset, or a model; "" without
	Beside     bool            // the benchmark's own returns too, with metrics
	Rates      Rates           // for fees
}

// Rates are what holding and trading cost.
type Rates struct {
	Management float64 // annual fraction of equity
	Financing  float64 // annual fraction of gross exposure above 1
	Commission float64 // basis points of traded notional
	Slippage   float64 // basis points of traded notional
}

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

// Beside is what a benchmark made on the dates that it covers, from one of the
// history's dates on.
type Beside struct {
	Symbol  string
	From    int       // index in Dates of its first return
	Returns []float64 // daily fractions
}

// Label names a key of a history.
type Label struct {
	Key    string
	Kind   string // asset, model, cash, custom
	ID     string
	Symbol string
	Name   string

	Private bool              // a member model that the reader may not see; its ID is ""
	Spliced []backfill.Splice // days of an asset that a backfill gives
}

// Weights are fractions of equity by key, in a fixed order.
type Weights []Weight

// Weight is one key's.
type Weight struct {
	Key   string
	Value float64
}

// Allocation is daily weights at the close, and the trades that made them.
type Allocation struct {
	Keys       []string    // tickers in universe order, CASH last
	Weights    [][]float64 // by key, then by date
	Rebalances []result.Rebalance
}

// Node is a part of a model: the model itself at the root, a member model with
// members of its own, or a leaf, which is an asset or CASH. The weights of its
// children add up to its own.
type Node struct {
	Key      string
	Weights  []float64 // fractions of the whole model, one a date
	Children []*Node   // nil of a leaf
}

// Latest is how a result ends, whatever the window: as it stands, as it is meant
// to stand, and what was last decided. CASH is always there; other keys of 0 are
// left out.
type Latest struct {
	AsOf       timeseries.Date
	Allocation Weights // by ticker, at the last close
	Target     Weights // by ticker: the last decision, every member model at its own last decision
	Decision   LatestDecision
}

// LatestDecision is the last one that a model has taken.
type LatestDecision struct {
	Date     timeseries.Date
	Weights  Weights // by own member
	Resolved Weights // by ticker: every member model as it stood at that date's close
}

// Custom is what a model has recorded of itself.
type Custom struct {
	Series result.Columns // NaN on a date without a record
	Values Weights        // the last record of each up to the window's end, NaN without one
}

// Contribution is what each own member, and CASH, added to each day's return.
type Contribution struct {
	result.Columns
	Total []float64 // the day's return
}

// Fees are returns after costs, and the plain sums of the daily deductions.
type Fees struct {
	Returns []float64
	Metrics *metrics.Block
	Costs   Costs
}

// Costs are sums of daily fractions of equity.
type Costs struct {
	Management, Financing, Commission, Slippage, Total float64
}
