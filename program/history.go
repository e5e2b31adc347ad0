package program

import (
	"ballast/metrics"
	"ballast/timeseries"
)

// HistoryQuery selects blocks and a window of a model's history.
type HistoryQuery struct {
	Returns, Allocation, Metrics bool
	RunID                        string          // "" the live run
	Start, End                   timeseries.Date // NoDate where not given
	Full                         bool            // everything computed; ignored with Start
	RiskFree                     float64         // annual fraction
	Benchmark                    string          // symbol of an asset, or a model; "" without
}

// History is a window of a run's result. Per-day columns have one entry a date.
type History struct {
	ModelID    string
	RunID      string
	AsOf       timeseries.Date
	Base       timeseries.Date // the session before Start, on whose close the first return is earned
	Dates      []timeseries.Date
	Labels     []Label
	Returns    []float64   // nil where not asked for
	Allocation *Allocation // nil where not asked for
	Metrics    *metrics.Block
}

// Label names a key of a history.
type Label struct {
	Key    string
	Kind   string // asset, model, cash, custom
	ID     string
	Symbol string
	Name   string
}

// Allocation is daily weights at the close, and the trades that made them.
type Allocation struct {
	Keys       []string    // tickers in universe order, CASH last
	Weights    [][]float64 // by key, then by date
	Rebalances []Rebalance
}

// Rebalance is one filled decision or forced sale.
type Rebalance struct {
	Date     timeseries.Date // of the fill
	Decided  timeseries.Date
	Reason   string
	Turnover float64 // Σ|target − before| without CASH
	Trades   []Trade
}

// Trade is one member's part in a rebalance, in fractions of equity.
type Trade struct {
	Key                    string
	Before, Target, Traded float64
}
