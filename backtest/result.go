package backtest

import (
	"ballast/timeseries"
)

// Result is what a run leaves: row 0 is the base, then one row a session.
// Fractions throughout; equity in currency.
type Result struct {
	Keys    []string          // the universe, in the order of members
	Dates   []timeseries.Date // the base, then the sessions
	Returns []float64         // daily total returns, row 0 is 0 and stands for none
	Equity  []float64         // at the close
	Gross   []float64         // gross exposure at the close, Σ|weight|
	Traded  []float64         // notional traded on the session, Σ|target − before|; the establishing trade on row 0

	Weights          [][]float64 // by member: fraction of equity at the close, after fills; nil for one never held; nil unless asked for
	CashWeight       []float64   // what the weights leave; nil unless asked for
	Contributions    [][]float64 // by member: part of the day's return; nil for one never held; nil unless asked for
	CashContribution []float64   // cash earns nothing; nil unless asked for

	Ledger  []Event  // in order of time, the newest; nil unless asked for
	Custom  []Custom // by name
	Summary Summary
	State   *State // what the run can be taken up from; nil unless asked for, and where there is nothing to take up
}

// Series returns the daily returns as a series; it shares memory with the result.
func (r *Result) Series() timeseries.Series {
	return timeseries.Series{Base: r.Dates[0], Dates: r.Dates[1:], Returns: r.Returns[1:]}
}
