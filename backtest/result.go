package backtest

import (
	"ballast/timeseries"
)

// Result is the result of a run. Row 0 is the base, followed by one row per session.
// All numbers are fractions, except equity, which is in currency.
type Result struct {
	Keys    []string          // the universe, in the order of members
	Dates   []timeseries.Date // the base, then the sessions
	Returns []float64         // daily total returns; 0 in row 0, which has none
	Equity  []float64         // at the close
	Gross   []float64         // gross exposure at the close, Σ|weight|
	Traded  []float64         // notional traded on the session, Σ|target − before|, a fraction of equity; row 0 has the establishing trade

	Weights          [][]float64 // by member: fraction of equity at the close, after fills; nil for a member that was never held; nil if not requested
	CashWeight       []float64   // 1 minus the sum of the weights; nil if not requested
	Contributions    [][]float64 // by member: part of the day's return; nil for a member that was never held; nil if not requested
	CashContribution []float64   // always 0, since cash earns nothing; nil if not requested

	Ledger  []Event  // the newest events, in order of time; nil if not requested
	Custom  []Custom // in order of name
	Summary Summary
	State   *State // from which Resume can continue; nil if not requested or if there is none
}

// Series returns the daily returns as a series that shares memory with the result.
func (r *Result) Series() timeseries.Series {
	return timeseries.Series{Base: r.Dates[0], Dates: r.Dates[1:], Returns: r.Returns[1:]}
}
