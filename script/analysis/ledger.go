package analysis

import (
	"fmt"

	"go.starlark.net/starlark"

	"ballast/backtest"
	"ballast/script"
	"ballast/script/harness"
	"ballast/timeseries"
)

// ledger is ctx.ledger(key): a dictionary of the columns of a model's trades in the
// window, oldest first.
func (x *analyst) ledger(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a, err := x.arguments(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	key := a.key("key")
	if err := a.err(); err != nil {
		return nil, err
	}
	trades, err := x.window.trades(key)
	if err != nil {
		return nil, x.noted(b.Name(), err)
	}
	d := starlark.NewDict(len(trades))
	for _, c := range trades {
		// Strings are hashable and the dictionary is not frozen, so SetKey cannot fail.
		_ = d.SetKey(starlark.String(c.Name), columnValue(&c))
	}
	return d, nil
}

// columnValue is a column as a script reads it: numbers as a vector, anything else as a
// list.
func columnValue(c *script.Column) starlark.Value {
	if c.Numbers != nil {
		return harness.NewVector(c.Numbers)
	}
	list := make([]starlark.Value, 0, len(c.Texts)+len(c.Dates))
	for _, t := range c.Texts {
		list = append(list, starlark.String(t))
	}
	for _, d := range c.Dates {
		list = append(list, starlark.String(d.String()))
	}
	return starlark.NewList(list)
}

// trades returns the rows of a model's ledger whose fills are in the window.
func (w *window) trades(key string) ([]script.Column, error) {
	s, err := w.source(key)
	if err != nil {
		return nil, err
	}
	columns := map[string]*timeseries.Outside{}
	names := map[float64]string{}
	for h, o := range w.holdings {
		switch {
		case h.Member != s.key:
		case h.What == script.LedgerColumn:
			columns[h.Name] = o
		case h.What == script.LedgerKey:
			names[o.Values[0]] = h.Name
		}
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("%s is no model: only models have trades", s.key)
	}
	fills := datesOf(columns["fill"].Values)
	from, to := 0, len(fills)
	if w.first != timeseries.NoDate {
		from = timeseries.From(fills, w.first)
	}
	if w.last != timeseries.NoDate {
		to = max(from, timeseries.From(fills, w.last+1)) // several rows have one day
	}
	traded, reason := make([]string, 0, to-from), make([]string, 0, to-from)
	for i := from; i < to; i++ {
		traded, reason = append(traded, names[columns["key"].Values[i]]), append(reason, string(backtest.Reasons[int(columns["reason"].Values[i])]))
	}
	out := []script.Column{datesColumn("fill", fills[from:to]), datesColumn("decided", datesOf(columns["decided"].Values[from:to])), texts("reason", reason), texts("key", traded)}
	for _, name := range []string{"before", "target", "traded"} {
		out = append(out, numbers(name, columns[name].Values[from:to:to]))
	}
	return out, nil
}

func datesOf(values []float64) []timeseries.Date {
	dates := make([]timeseries.Date, len(values))
	for i, v := range values {
		dates[i] = timeseries.Date(v)
	}
	return dates
}
