package web

import (
	"html/template"
	"math"
	"strconv"

	"ballast/api/web/chart"
	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

// rollingRow is the range of the annual returns over all windows of a length.
type rollingRow struct{ Window, Field, Worst, Median, Best string }

// rollingWindow is a length of the windows over which returns are shown.
type rollingWindow struct {
	years int
	field string
	of    func(*metrics.Rolling) metrics.Range
}

var rollingWindows = []rollingWindow{
	{1, "rolling.one_year", func(r *metrics.Rolling) metrics.Range { return r.OneYear }},
	{3, "rolling.three_year", func(r *metrics.Rolling) metrics.Range { return r.ThreeYear }},
	{5, "rolling.five_year", func(r *metrics.Rolling) metrics.Range { return r.FiveYear }},
}

func (w *rollingWindow) text() string {
	if w.years == 1 {
		return "1 year"
	}
	return strconv.Itoa(w.years) + " years"
}

// rollingOf returns the ranges of annual returns, and a drawing of the returns up to each
// month's end; "" for a history that is too short.
func rollingOf(h *history.History) (rows []rollingRow, drawing template.HTML, err error) {
	shown := monthEnds(h.Dates)
	f := chart.Figure{ID: "rolling-returns", Title: "Annual return over the years before each date", Kind: "line"}
	f.X = chart.Column{Name: "date", Dates: make([]timeseries.Date, 0, len(shown))}
	equity := metrics.Equity(nil, h.Returns)
	first := len(shown)
	for i := range rollingWindows {
		w := &rollingWindows[i]
		r := w.of(&h.Metrics.Rolling)
		if math.IsNaN(float64(r.Median)) {
			continue
		}
		rows = append(rows, rollingRow{w.text(), w.field, percent(float64(r.Min), 1), percent(float64(r.Median), 1), percent(float64(r.Max), 1)})
		all := metrics.RollingReturns(equity, w.years, h.Metrics.Conventions.BarsPerYear)[1:]
		c := chart.Column{Name: w.text(), Unit: "fraction"}
		for at, row := range shown {
			c.Numbers = append(c.Numbers, all[row])
			if !math.IsNaN(all[row]) {
				first = min(first, at)
			}
		}
		f.Y = append(f.Y, c)
	}
	if first >= len(shown)-1 {
		return rows, "", nil
	}
	for _, row := range shown[first:] {
		f.X.Dates = append(f.X.Dates, h.Dates[row])
	}
	for i := range f.Y {
		f.Y[i].Numbers = f.Y[i].Numbers[first:]
	}
	if d := chart.Draw(f); d != nil {
		drawing, err = d.HTML()
	}
	return rows, drawing, err
}
