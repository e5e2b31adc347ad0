package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"ballast/backtest"
	"ballast/script"
	"ballast/script/harness"
	"ballast/timeseries"
)

// portfolio is what a member holds on the sessions of its result, and what each holding
// has contributed to its returns. Row 0 is the base.
type portfolio struct {
	dates         []timeseries.Date
	names         []string // sorted, CASH last
	weights       map[string][]float64
	contributions map[string][]float64
}

// portfolio returns what a model holds. An asset holds itself alone.
func (w *window) portfolio(key string) (*portfolio, error) {
	s, err := w.source(key)
	if err != nil {
		return nil, err
	}
	p := &portfolio{weights: map[string][]float64{}, contributions: map[string][]float64{}}
	at := map[timeseries.Date]int{}
	for h, o := range w.holdings {
		if h.Member == s.key && h.What == script.Weights && len(o.Dates) > len(p.dates) {
			p.dates = o.Dates // that of cash, which has a weight on every session
		}
	}
	if p.dates == nil {
		return w.alone(s)
	}
	for t, d := range p.dates {
		at[d] = t
	}
	for h, o := range w.holdings {
		if h.Member != s.key || h.What != script.Weights && h.What != script.Contributions {
			continue
		}
		column := make([]float64, len(p.dates))
		for i, d := range o.Dates {
			if t, ok := at[d]; ok {
				column[t] = o.Values[i]
			}
		}
		if h.What == script.Weights {
			p.weights[h.Name] = column
		} else {
			p.contributions[h.Name] = column
		}
	}
	p.names = w.heldBy(s.key)
	for _, name := range p.names {
		if p.contributions[name] == nil {
			p.contributions[name] = make([]float64, len(p.dates))
		}
	}
	return p, nil
}

// heldBy returns what a model has ever held, sorted, cash last; nothing for an asset.
func (w *window) heldBy(key string) []string {
	var names []string
	for h := range w.holdings {
		if h.Member == key && h.What == script.Weights {
			names = append(names, h.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(order(a)-order(b), cmp.Compare(a, b)) })
	return names
}

// order puts cash last.
func order(name string) int {
	if name == backtest.CashKey {
		return 1
	}
	return 0
}

// alone is the portfolio of something that is held by itself.
func (w *window) alone(s *source) (*portfolio, error) {
	if s.monthly || len(s.dates) == 0 {
		return nil, dataError(fmt.Sprintf("%s has no daily returns", s.key))
	}
	base := s.base
	if base == timeseries.NoDate {
		base = s.dates[0] - 1
	}
	return &portfolio{
		dates: append([]timeseries.Date{base}, s.dates...), names: []string{s.key},
		weights:       map[string][]float64{s.key: slices.Repeat([]float64{1}, len(s.dates)+1)},
		contributions: map[string][]float64{s.key: append([]float64{0}, s.returns...)},
	}, nil
}

// cashAlone is a portfolio of cash that earns nothing. Compared with it, the effects of an
// attribution are what each holding has contributed.
func cashAlone(dates []timeseries.Date) *portfolio {
	return &portfolio{
		dates: dates, names: []string{backtest.CashKey},
		weights:       map[string][]float64{backtest.CashKey: slices.Repeat([]float64{1}, len(dates))},
		contributions: map[string][]float64{backtest.CashKey: make([]float64, len(dates))},
	}
}

// held is ctx.weights(key) and ctx.contributions(key): a dictionary from what a model
// holds to its weights at the close of each session, or to its contributions to each
// session's return, and from "date" to the dates.
func (x *analyst) held(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a, err := x.arguments(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	key := a.key("key")
	if err := a.err(); err != nil {
		return nil, err
	}
	p, err := x.window.portfolio(key)
	if err != nil {
		return nil, x.noted(b.Name(), err)
	}
	columns := p.weights
	if b.Name() == script.Contributions {
		columns = p.contributions
	}
	from, to := p.cut(x.window)
	dates := make([]starlark.Value, 0, to-from)
	for _, d := range p.dates[from:to] {
		dates = append(dates, starlark.String(d.String()))
	}
	d := starlark.NewDict(len(p.names) + 1)
	// Strings are hashable and the dictionary is not frozen, so SetKey cannot fail.
	_ = d.SetKey(starlark.String("date"), starlark.NewList(dates))
	for _, name := range p.names {
		_ = d.SetKey(starlark.String(name), harness.NewVector(columns[name][from:to:to]))
	}
	return d, nil
}

// cut returns the rows of a portfolio that are in the window.
func (p *portfolio) cut(w *window) (from, to int) {
	from, to = 0, len(p.dates)
	if w.first != timeseries.NoDate {
		from = timeseries.From(p.dates, w.first)
	}
	if w.last != timeseries.NoDate {
		to = max(from, timeseries.Through(p.dates, w.last))
	}
	return from, to
}
