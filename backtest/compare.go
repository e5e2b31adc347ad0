package backtest

import (
	"bytes"
	"cmp"
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/internal/number"
	"ballast/timeseries"
)

// compare returns the first difference between the rows of two results up to a date,
// or nil. Differences on the same date are ordered as in Columns.
func compare(whole, past *Result, until timeseries.Date) *Difference {
	c := &comparison{whole: whole, past: past, rows: timeseries.Through(whole.Dates, until)}
	c.trades(until)
	if len(past.Dates) < c.rows || len(past.Dates) > 0 && past.Dates[0] != whole.Dates[0] {
		if c.first == nil { // with a ledger, another base is another first event
			c.first = &Difference{Date: whole.Dates[0], Column: ColumnEquity, Whole: number.Float(whole.Equity[0])}
		}
		return c.first
	}
	for i, key := range whole.Keys {
		c.column(ColumnWeight, key, member(whole.Weights, i), member(past.Weights, i), 0)
	}
	c.column(ColumnWeight, CashKey, whole.CashWeight, past.CashWeight, 0)
	for i, key := range whole.Keys {
		c.column(ColumnContribution, key, member(whole.Contributions, i), member(past.Contributions, i), 0)
	}
	c.column(ColumnContribution, CashKey, whole.CashContribution, past.CashContribution, 0)
	c.custom()
	c.column(ColumnReturn, "", whole.Returns, past.Returns, 0)
	c.column(ColumnEquity, "", whole.Equity, past.Equity, 0)
	c.column(ColumnGross, "", whole.Gross, past.Gross, 0)
	c.column(ColumnTraded, "", whole.Traded, past.Traded, 0)
	return c.first
}

// comparison looks for the first row in which two results differ.
type comparison struct {
	whole, past *Result
	rows        int // number of rows without a difference so far
	first       *Difference
}

// column compares the rows without a difference so far. A missing column counts as
// absent in every row.
func (c *comparison) column(name, symbol string, whole, past []float64, absent float64) {
	if c.rows == 0 {
		return
	}
	a, b := whole, past
	if a != nil {
		a = a[:c.rows]
	}
	if b != nil {
		b = b[:c.rows]
	}
	row := firstUnequal(a, b, absent)
	if row < 0 {
		return
	}
	c.rows = row
	c.first = &Difference{
		Date: c.whole.Dates[row], Column: name, Symbol: symbol,
		Whole: at(a, row, absent), Past: at(b, row, absent),
	}
}

func member(columns [][]float64, i int) []float64 {
	if columns == nil {
		return nil
	}
	return columns[i]
}

func at(column []float64, row int, absent float64) number.Float {
	if column == nil {
		return number.Float(absent)
	}
	return number.Float(column[row])
}

// firstUnequal returns the first position at which the bits of a and b differ, or -1.
// Both have the same length, unless one is nil, which counts as absent everywhere.
func firstUnequal(a, b []float64, absent float64) int {
	if a == nil {
		a, b = b, a
	}
	if a == nil || b != nil && bytes.Equal(arrow.Float64Traits.CastToBytes(a), arrow.Float64Traits.CastToBytes(b)) {
		return -1
	}
	nothing := math.Float64bits(absent)
	for k, v := range a {
		other := nothing
		if b != nil {
			other = math.Float64bits(b[k])
		}
		if math.Float64bits(v) != other {
			return k
		}
	}
	return -1
}

// custom compares the custom series by name. A missing series has no values.
func (c *comparison) custom() {
	whole, past := c.whole.Custom, c.past.Custom
	for len(whole) > 0 || len(past) > 0 {
		order := -1
		switch {
		case len(whole) == 0:
			order = 1
		case len(past) > 0:
			order = cmp.Compare(whole[0].Name, past[0].Name)
		}
		var a, b []float64
		name := ""
		if order <= 0 {
			name, a, whole = whole[0].Name, whole[0].Values, whole[1:]
		}
		if order >= 0 {
			name, b, past = past[0].Name, past[0].Values, past[1:]
		}
		c.column(ColumnCustom, name, a, b, math.NaN())
	}
}

// trades compares the events filled up to a date that both results have kept. After
// a difference, only the rows before it are compared.
func (c *comparison) trades(until timeseries.Date) {
	from := max(c.whole.ledgerFrom(), c.past.ledgerFrom())
	whole, past := ledgerSince(c.whole.Ledger, from), ledgerSince(c.past.Ledger, from)
	for i := 0; c.first == nil; i++ {
		a, b := eventAt(whole, i, until), eventAt(past, i, until)
		if a == nil && b == nil {
			return
		}
		if a != nil && b != nil && a.Fill != b.Fill { // the earlier one has no counterpart
			if a.Fill < b.Fill {
				b = nil
			} else {
				a = nil
			}
		}
		c.first = eventDifference(c.whole.Keys, a, b)
	}
	// The first event of the repetition may be before the whole run's base.
	c.rows = min(c.rows, timeseries.Through(c.whole.Dates, c.first.Date-1))
}

// eventAt returns event i, or nil if it does not exist or is after the date.
func eventAt(ledger []Event, i int, until timeseries.Date) *Event {
	if i < len(ledger) && ledger[i].Fill <= until {
		return &ledger[i]
	}
	return nil
}

// eventDifference compares two events of the same session, one of which may be nil:
// first the targets and previous weights by member, then the rest.
func eventDifference(keys []string, whole, past *Event) *Difference {
	missing := whole == nil || past == nil
	if whole == nil {
		whole = &Event{Fill: past.Fill}
	}
	if past == nil {
		past = &Event{Fill: whole.Fill}
	}
	d := &Difference{Date: whole.Fill, Column: ColumnTrade}
	a, b := whole.Trades, past.Trades
	for len(a) > 0 || len(b) > 0 {
		i := math.MaxInt
		for _, list := range [][]Trade{a, b} {
			if len(list) > 0 {
				i = min(i, list[0].Member)
			}
		}
		var t, u Trade
		t, a = takeTrade(a, i)
		u, b = takeTrade(b, i)
		for _, v := range [][2]float64{{t.Target, u.Target}, {t.Before, u.Before}} {
			if math.Float64bits(v[0]) == math.Float64bits(v[1]) {
				continue
			}
			d.Symbol = CashKey
			if i != CashMember {
				d.Symbol = keys[i]
			}
			d.Whole, d.Past = number.Float(v[0]), number.Float(v[1])
			return d
		}
	}
	if missing || whole.Decided != past.Decided || whole.Reason != past.Reason ||
		math.Float64bits(whole.Turnover) != math.Float64bits(past.Turnover) {
		d.Whole, d.Past = number.Float(whole.Turnover), number.Float(past.Turnover)
		return d
	}
	return nil
}

// takeTrade removes the trade of a member from the front of the list. It returns a
// zero trade if another member's is next.
func takeTrade(list []Trade, member int) (Trade, []Trade) {
	if len(list) > 0 && list[0].Member == member {
		return list[0], list[1:]
	}
	return Trade{}, list
}

// ledgerFrom returns the date from which the ledger is complete.
func (r *Result) ledgerFrom() timeseries.Date {
	if r.Summary.TradeLog.Kept == r.Summary.TradeLog.Total || len(r.Ledger) == 0 {
		return timeseries.NoDate
	}
	return r.Ledger[0].Fill + 1 // the ledger may have only some of the events of its first session
}

// ledgerSince returns the events from a date on.
func ledgerSince(ledger []Event, date timeseries.Date) []Event {
	for len(ledger) > 0 && ledger[0].Fill < date {
		ledger = ledger[1:]
	}
	return ledger
}
