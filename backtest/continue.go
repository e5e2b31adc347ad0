package backtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"ballast/timeseries"
)

// Continue puts the rows of later, which Resume gave from the state of r, after
// those of r up to that state. What it gives is, bit for bit, what the whole run
// over later's bars gives. Neither r nor later is changed, and columns are
// copies.
func (r *Result) Continue(later *Result, opt Options) (*Result, error) {
	s := r.State
	if s == nil {
		return nil, fmt.Errorf("a result without a state cannot be continued")
	}
	row, found := timeseries.Find(r.Dates, s.Date)
	if !found || row != s.Session-s.Base || len(later.Dates) == 0 || later.Dates[0] != s.Date || !slices.Equal(r.Keys, later.Keys) ||
		math.Float64bits(r.Equity[row]) != math.Float64bits(later.Equity[0]) {
		return nil, fmt.Errorf("the result does not go on from %s", s.Date)
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

// joint is where two results meet: the row, and how many there are of both.
type joint struct{ row, rows int }

// column puts the rows of later after the joint's; one that was not there before
// holds absent up to it.
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

// members joins columns by member, as far as later has them.
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

// joinLedger keeps the newest events of both. Where later has dropped some of
// its own, nothing before them is kept.
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

// ledgerUpTo is a copy of the events filled up to a date.
func ledgerUpTo(ledger []Event, date timeseries.Date) []Event {
	n := len(ledger)
	for n > 0 && ledger[n-1].Fill > date {
		n--
	}
	return slices.Clone(ledger[:n])
}
