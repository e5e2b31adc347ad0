package web

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"time"

	"ballast/api/web/chart"
	"ballast/backtest"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/timeseries"
)

// mostAreas is how many holdings an allocation over time shows by name. The others are
// added up.
const mostAreas = 12

// allocationOf draws the weights of a history over time: the largest holdings on
// average, the rest and cash. It returns "" if there is nothing to draw.
func allocationOf(h *history.History) (template.HTML, error) {
	a := h.Allocation
	if a == nil || len(h.Dates) < 2 {
		return "", nil
	}
	rows := monthEnds(h.Dates)
	type holding struct {
		key  string
		size float64 // mean of the absolute weights
		at   int
	}
	var held []holding
	cash := -1
	for i, key := range a.Keys {
		if key == backtest.CashKey {
			cash = i
			continue
		}
		sum := 0.0
		for _, w := range a.Weights[i] {
			sum += math.Abs(w)
		}
		if sum > 0 {
			held = append(held, holding{key, sum, i})
		}
	}
	slices.SortStableFunc(held, func(x, y holding) int { return cmp.Compare(y.size, x.size) })
	f := chart.Figure{
		ID: "allocation-over-time", Title: "Allocation over time", Kind: "area",
		Stacked: true,
	}
	f.X = chart.Column{Name: "date"}
	for _, row := range rows {
		f.X.Dates = append(f.X.Dates, h.Dates[row])
	}
	add := func(name string, weights []float64) {
		c := chart.Column{Name: name, Unit: "fraction"}
		for _, row := range rows {
			c.Numbers = append(c.Numbers, weights[row])
		}
		f.Y = append(f.Y, c)
	}
	for _, x := range held[:min(len(held), mostAreas)] {
		add(x.key, a.Weights[x.at])
	}
	if len(held) > mostAreas {
		rest := make([]float64, len(h.Dates))
		for _, x := range held[mostAreas:] {
			for d, w := range a.Weights[x.at] {
				rest[d] += w
			}
		}
		add(strconv.Itoa(len(held)-mostAreas)+" others", rest)
	}
	if cash >= 0 && slices.ContainsFunc(a.Weights[cash], func(w float64) bool { return math.Abs(w) > 1e-9 }) {
		add("Cash", a.Weights[cash])
	}
	drawing := chart.Draw(f)
	if drawing == nil {
		return "", nil
	}
	return drawing.HTML()
}

// mostRows is how many dates a page draws of a history, about.
const mostRows = 250

// monthEnds are the first session, the last session of each month, or of every second
// month and so on of a long history, and the last one; all sessions of a short history.
func monthEnds(dates []timeseries.Date) []int {
	var rows []int
	every := 1 + int(dates[len(dates)-1]-dates[0])/30/mostRows
	months := 0
	for i, d := range dates {
		end := i < len(dates)-1 && month(d) != month(dates[i+1])
		if end {
			months++
		}
		if len(dates) <= mostRows || i == 0 || i == len(dates)-1 || end && months%every == 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

func month(d timeseries.Date) time.Month {
	_, m, _ := d.YMD()
	return m
}

// tradeRow is one filled decision.
type tradeRow struct {
	Date, Decided, Reason, Turnover string
	Changes                         []string
}

// mostTrades is how many filled decisions a page shows, the latest ones.
const mostTrades = 12

// mostChanges is how many positions of a filled decision are shown, the largest ones.
const mostChanges = 8

// reasons are the causes of a trade in the words of a page.
var reasons = map[backtest.Reason]string{
	backtest.ReasonStart: "first purchase", backtest.ReasonSchedule: "decision", backtest.ReasonSuspended: "no bars for more than ten sessions",
	backtest.ReasonDelisted: "delisted", backtest.ReasonRuin: "equity of zero",
}

// tradesOf returns the latest filled decisions, latest first, and how many others there
// are.
func tradesOf(h *history.History) (rows []tradeRow, more int) {
	if h.Allocation == nil {
		return nil, 0
	}
	for _, r := range slices.Backward(h.Allocation.Rebalances) {
		if len(rows) == mostTrades {
			break
		}
		row := tradeRow{Date: r.Date.String(), Reason: cmp.Or(reasons[backtest.Reason(r.Reason)], r.Reason), Turnover: percent(r.Turnover, 1)}
		if r.Decided != r.Date && r.Decided != timeseries.NoDate {
			row.Decided = r.Decided.String()
		}
		trades := slices.Clone(r.Trades)
		slices.SortStableFunc(trades, func(x, y result.Trade) int { return cmp.Compare(math.Abs(y.Traded), math.Abs(x.Traded)) })
		for i, t := range trades {
			if t.Key == backtest.CashKey || math.Abs(t.Traded) < 5e-5 {
				continue
			}
			if len(row.Changes) == mostChanges {
				row.Changes = append(row.Changes, strconv.Itoa(len(trades)-i)+" more")
				break
			}
			row.Changes = append(row.Changes, t.Key+" "+percent(t.Before, 1)+" → "+percent(t.Target, 1))
		}
		rows = append(rows, row)
	}
	return rows, len(h.Allocation.Rebalances) - len(rows)
}
