package history

import (
	"context"
	"fmt"

	"ballast/backtest"
	"ballast/program"
	"ballast/program/result"
	"ballast/timeseries"
)

// expansion expands models into their members, down to assets and CASH, on given
// dates. It reads each pinned member run once.
type expansion struct {
	results *result.Store
	runs    map[string]*program.Run // the run and the runs that it was pinned to, at every depth
	names   *names
	dates   []timeseries.Date
	rows    map[string][]int // by run: the row of its table on each date; -1 before its base
}

// expansion prepares to expand the run of a window.
func (w *window) expansion(ctx context.Context) (*expansion, error) {
	runs, err := w.memberRuns(ctx)
	if err != nil {
		return nil, err
	}
	w.results.Prefetch(ctx, runs)
	return newExpansion(w.results, runs, w.names, w.dates()...), nil
}

func newExpansion(results *result.Store, runs map[string]*program.Run, n *names, dates ...timeseries.Date) *expansion {
	return &expansion{results: results, runs: runs, names: n, dates: dates, rows: map[string][]int{}}
}

// on returns the same expansion on other dates.
func (x *expansion) on(dates ...timeseries.Date) *expansion {
	return newExpansion(x.results, x.runs, x.names, dates...)
}

// children expands a run into its members. share is the run's weight on each date;
// nil stands for 1 throughout.
func (x *expansion) children(ctx context.Context, run *program.Run, share []float64) ([]*Node, error) {
	weights, err := x.results.Keyed(ctx, run, result.PartWeights)
	if err != nil {
		return nil, err
	}
	rows, err := x.rowsOf(ctx, run)
	if err != nil {
		return nil, err
	}
	members := membersByKey(run)
	nodes := make([]*Node, 0, len(weights.Keys))
	for i, key := range weights.Keys {
		n := &Node{Weights: onRows(weights.Values[i], rows, share)}
		nodes = append(nodes, n)
		if key == backtest.CashKey {
			n.Key = x.names.cash()
			continue
		}
		m, held := members[key]
		if !held {
			return nil, fmt.Errorf("run %s has weights of %s, which is not a member", run.ID, key)
		}
		n.Key = x.names.member(m)
		if m.Kind != program.MemberModel || x.runs[m.RunID] == nil { // a member whose run was deleted is not expanded
			continue
		}
		if n.Children, err = x.children(ctx, x.runs[m.RunID], n.Weights); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// rowsOf returns a run's row on each date: the last row up to that date.
func (x *expansion) rowsOf(ctx context.Context, run *program.Run) ([]int, error) {
	if rows, ok := x.rows[run.ID]; ok {
		return rows, nil
	}
	d, err := x.results.Daily(ctx, run)
	if err != nil {
		return nil, err
	}
	rows := rowsOn(d.Dates, x.dates)
	x.rows[run.ID] = rows
	return rows, nil
}

// rowsOn returns, for each date, the position of the last date of axis up to it, or
// -1 if there is none.
func rowsOn(axis, dates []timeseries.Date) []int {
	rows := make([]int, len(dates))
	row := -1
	for i, date := range dates {
		for row+1 < len(axis) && axis[row+1] <= date {
			row++
		}
		rows[i] = row
	}
	return rows
}

// onRows returns a column at the given rows, 0 at row -1, multiplied by share.
// Without a share, consecutive rows, such as the run's own, are returned as a view.
func onRows(column []float64, rows []int, share []float64) []float64 {
	if n := len(rows); share == nil && n > 0 && rows[0] >= 0 && rows[n-1]-rows[0] == n-1 && ascending(rows) {
		return column[rows[0] : rows[n-1]+1 : rows[n-1]+1]
	}
	out := make([]float64, len(rows))
	for i, row := range rows {
		switch {
		case row < 0:
		case share == nil:
			out[i] = column[row]
		default:
			out[i] = column[row] * share[i]
		}
	}
	return out
}

// ascending reports whether the rows are consecutive.
func ascending(rows []int) bool {
	for i := 1; i < len(rows); i++ {
		if rows[i] != rows[i-1]+1 {
			return false
		}
	}
	return true
}

// flatten adds up the leaves by key, in the order of their first appearance, CASH
// last. A leaf that occurs once keeps its own vector.
func flatten(nodes []*Node) result.Columns {
	f := flattening{at: map[string]int{}}
	f.add(nodes)
	if i, ok := f.at[backtest.CashKey]; ok {
		last := len(f.Keys) - 1
		cash := f.Values[i]
		copy(f.Keys[i:], f.Keys[i+1:])
		copy(f.Values[i:], f.Values[i+1:])
		f.Keys[last], f.Values[last] = backtest.CashKey, cash
	}
	return f.Columns
}

type flattening struct {
	result.Columns
	at  map[string]int
	own []bool // whether the vector belongs to the flattening, which may then write to it
}

func (f *flattening) add(nodes []*Node) {
	for _, n := range nodes {
		if n.Children != nil {
			f.add(n.Children)
			continue
		}
		i, seen := f.at[n.Key]
		if !seen {
			f.at[n.Key] = len(f.Keys)
			f.Keys, f.Values, f.own = append(f.Keys, n.Key), append(f.Values, n.Weights), append(f.own, false)
			continue
		}
		if !f.own[i] {
			f.Values[i], f.own[i] = append([]float64(nil), f.Values[i]...), true
		}
		for k, w := range n.Weights {
			f.Values[i][k] += w
		}
	}
}
