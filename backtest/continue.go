package backtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"ballast/timeseries"
)

// Continue appends the rows of later, which Resume computed from the state of r, to
// the rows of r up to that state. The result is bit for bit that of a whole run over
// later's bars. Neither r nor later is changed; the columns are copies.
func (r *Result) Continue(later *Result, opt Options) (*Result, error) {
	s := r.State
	if s == nil {
		return nil, fmt.Errorf("a result without a state cannot be continued")
	}
	row, found := timeseries.Find(r.Dates, s.Date)
	if !found || row != s.Session-s.Base || len(later.Dates) == 0 || later.Dates[0] != s.Date || !slices.Equal(r.Keys, later.Keys) ||
		math.Float64bits(r.Equity[row]) != math.Float64bits(later.Equity[0]) {
		return nil, fmt.Errorf("the later result does not continue from %s", s.Date)
	}
	j := joint{row: row, rows: row + len(later.Dates)}
	whole := &Result{
		Keys: r.Keys, Dates: append(slices.Clone(r.Dates[:row]), later.Dates...),
		Returns: j.column(r.Returns, later.Returns, 0), Equity: j.column(r.Equity, later.Equity, 0),
		Gross: j.column(r.Gross, later.Gross, 0), Traded: j.column(r.Traded, later.Traded, 0),
		Weights: j.members(r.Weights, later.Weights), Contributions: j.members(r.Contributions, later.Contributions),
		Summary: later.Summary, State: later.State,
	}
	if later.CashWeight != nil {
		whole.CashWeight = j.column(r.CashWeight, later.CashWeight, 0)
	}
	if later.CashContribution != nil {
		whole.CashContribution = j.column(r.CashContribution, later.CashContribution, 0)
	}
	for _, c := range later.Custom {
		var before []float64
		if k, ok := slices.BinarySearchFunc(r.Custom, c.Name, func(c Custom, name string) int { return cmp.Compare(c.Name, name) }); ok {
			before = r.Custom[k].Values
		}
		whole.Custom = append(whole.Custom, Custom{Name: c.Name, Values: j.column(before, c.Values, math.NaN())})
	}
	if whole.Custom == nil {
		whole.Custom = []Custom{}
	}
	whole.joinLedger(r, later, opt)
	return whole, nil
}

// joint is where two results are joined: the row, and the number of rows of both.
type joint struct{ row, rows int }

// column joins two columns at the joint. A column that did not exist before has the
// value absent up to it.
func (j joint) column(before, later []float64, absent float64) []float64 {
	c := make([]float64, j.rows)
	switch {
	case before != nil:
		copy(c, before[:j.row+1])
	case absent != 0:
		for k := range c[:j.row+1] {
			c[k] = absent
		}
	}
	copy(c[j.row+1:], later[1:])
	return c
}

// members joins the columns by member that later has.
func (j joint) members(before, later [][]float64) [][]float64 {
	if later == nil {
		return nil
	}
	columns := make([][]float64, len(later))
	for i, c := range later {
		if c != nil {
			columns[i] = j.column(member(before, i), c, 0)
		}
	}
	return columns
}

// joinLedger keeps the newest events of both results. If later has dropped events of
// its own, no earlier ones are kept.
func (r *Result) joinLedger(before, later *Result, opt Options) {
	told := &later.Summary
	rows := before.State.LedgerRows
	for i := range later.Ledger {
		rows += len(later.Ledger[i].Trades)
	}
	if rows == told.TradeLog.Total {
		r.Ledger = ledgerUpTo(before.Ledger, before.State.Date)
	}
	most := opt.LedgerRows
	if most == 0 {
		most = MaxLedgerRows
	}
	r.Ledger = append(r.Ledger, later.Ledger...)
	r.Ledger = r.Ledger[newest(r.Ledger, most):]
	r.Summary.TradeLog, r.Summary.TargetHistory = logs(r.Ledger, told.TradeLog.Total, told.TargetHistory.Total)
}

// ledgerUpTo returns a copy of the events filled up to a date.
func ledgerUpTo(ledger []Event, date timeseries.Date) []Event {
	n := len(ledger)
	for n > 0 && ledger[n-1].Fill > date {
		n--
	}
	return slices.Clone(ledger[:n])
}
