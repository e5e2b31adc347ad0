package result

import "ballast/timeseries"

// Rebalance is one filled decision or forced sale.
type Rebalance struct {
	Date     timeseries.Date // date of the fill
	Decided  timeseries.Date
	Reason   string
	Turnover float64 // Σ|target − before| without CASH
	Trades   []Trade
}

// Trade is one member's part in a rebalance, as fractions of equity.
type Trade struct {
	Key                    string
	Before, Target, Traded float64
}
