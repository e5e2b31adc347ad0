package history

import (
	"ballast/catalog/series"
	"ballast/timeseries"
)

// Query selects blocks and a window of a model's history.
type Query struct {
	Returns, Allocation, Tree, Latest, Custom, Metrics, Fees, Contribution, Timing bool

	RunID      string          // "": the live run
	Start, End timeseries.Date // NoDate if not given
	Full       bool            // everything computed; ignored with Start
	RiskFree   series.Riskless // for metrics
	Benchmark  string          // symbol of an asset, or a model; "" for none
	Beside     bool            // with metrics: also return the benchmark's own returns
	Rates      Rates           // for fees
}

// Rates are the costs of holding and trading.
type Rates struct {
	Management float64 // annual fraction of equity
	Financing  float64 // annual fraction of gross exposure above 1
	Commission float64 // basis points of traded notional
	Slippage   float64 // basis points of traded notional
}
