package web

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"ballast/backtest"
	"ballast/program/history"
)

// holdings show what a result holds at its last close, and the decision behind it.
type holdings struct {
	AsOf     string
	Rows     []holding // largest position first, cash last
	More     int       // positions that are not shown
	Decided  string    // date of the last decision; "" before the first
	Recorded []figure  // the values that the script recorded last
}

// holding is a position. Target is the weight that the last decision asked for.
type holding struct{ Key, Name, Weight, Target string }

// mostHoldings limits the rows of the table.
const mostHoldings = 50

func holdingsOf(h *history.History) *holdings {
	l := h.Latest
	if l == nil {
		return nil
	}
	names, targets := map[string]string{}, map[string]float64{}
	for _, label := range h.Labels {
		names[label.Key] = label.Name
	}
	for _, w := range l.Target {
		targets[w.Key] = w.Value
	}
	weights := slices.Clone(l.Allocation)
	for _, w := range l.Target { // decided but not filled yet
		if !slices.ContainsFunc(weights, func(x history.Weight) bool { return x.Key == w.Key }) {
			weights = append(weights, history.Weight{Key: w.Key})
		}
	}
	slices.SortStableFunc(weights, func(x, y history.Weight) int {
		xCash, yCash := x.Key == backtest.CashKey, y.Key == backtest.CashKey
		if xCash != yCash {
			if xCash {
				return 1
			}
			return -1
		}
		return cmp.Compare(math.Abs(y.Value), math.Abs(x.Value))
	})
	out := &holdings{AsOf: l.AsOf.String(), Decided: l.Decision.Date.String()}
	for _, w := range weights {
		if len(out.Rows) == mostHoldings && w.Key != backtest.CashKey {
			out.More++
			continue
		}
		row := holding{Key: w.Key, Name: names[w.Key], Weight: percent(w.Value, 1), Target: percent(targets[w.Key], 1)}
		if row.Name == row.Key { // the catalog has no name for the symbol
			row.Name = ""
		}
		if w.Key == backtest.CashKey {
			row.Key, row.Name = "Cash", ""
		}
		out.Rows = append(out.Rows, row)
	}
	if h.Custom != nil {
		for _, v := range h.Custom.Values {
			if !math.IsNaN(v.Value) {
				out.Recorded = append(out.Recorded, figure{v.Key, strconv.FormatFloat(v.Value, 'g', 6, 64)})
			}
		}
	}
	return out
}
