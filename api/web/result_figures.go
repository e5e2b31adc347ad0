package web

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// yearRow is a year of monthly returns.
type yearRow struct {
	Year    int
	Months  [12]cellOfYear
	Whole   string
	Partial bool // the result covers only part of the year
}

// cellOfYear is a value and the class of its colour.
type cellOfYear struct {
	Text, Class string
	Partial     bool // the result covers only part of the month
}

// heat is the class of a cell's colour: the stronger, the closer a return is to full.
func heat(v, full float64) string {
	if math.IsNaN(v) {
		return ""
	}
	level := strconv.Itoa(int(min(math.Ceil(5*math.Abs(v)/full), 5)))
	if v < 0 {
		return "down" + level
	}
	return "up" + level
}

// yearRows returns one row per year of a history with dates, latest first.
func yearRows(h *history.History) []yearRow {
	var rows []yearRow
	first, last := partialMonths(h)
	for _, y := range slices.Backward(h.Metrics.Monthly) {
		row := yearRow{Year: y.Year, Whole: percent(float64(y.YearReturn), 1), Partial: y.Partial}
		for m, v := range y.Months {
			if !math.IsNaN(float64(v)) {
				at := timeseries.NewDate(y.Year, time.Month(m+1), 1)
				row.Months[m] = cellOfYear{Text: percent(float64(v), 1), Class: heat(float64(v), .1), Partial: at == first || at == last}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// partialMonths returns the first days of the first and the last month if the history
// covers only a part of them, otherwise NoDate.
func partialMonths(h *history.History) (first, last timeseries.Date) {
	first, last = monthOf(h.Dates[0]), monthOf(h.Dates[len(h.Dates)-1])
	days := calendar.XNYS()
	if h.Metrics.Conventions.BarsPerYear > 300 {
		days = calendar.AllDays()
	}
	if end := monthOf(last+31) - 1; end > calendar.Last || days.Count(end) == days.Count(h.Dates[len(h.Dates)-1]) {
		last = timeseries.NoDate
	}
	if h.Base < first {
		first = timeseries.NoDate
	}
	return first, last
}

// monthOf returns the first day of a date's month.
func monthOf(d timeseries.Date) timeseries.Date {
	y, m, _ := d.YMD()
	return timeseries.NewDate(y, m, 1)
}

// percent formats a fraction as per cent, with a true minus sign.
func percent(v float64, decimals int) string { return decimal(100*v, decimals, "\u202f%") }

func ratio(v float64) string { return decimal(v, 2, "") }

func decimal(v float64, decimals int, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	if v < 0 && strings.Trim(text, "0.") != "" {
		text = "−" + text
	}
	return text + unit
}

// drawdownRow is one fall from a high.
type drawdownRow struct{ Depth, Peak, Valley, Recovery, Days string }

func drawdownRows(drawdowns []metrics.Drawdown) []drawdownRow {
	var rows []drawdownRow
	for _, d := range drawdowns {
		row := drawdownRow{Depth: percent(float64(d.Value), 1), Peak: dateOf(d.Peak), Valley: dateOf(d.Valley), Recovery: "not yet"}
		if d.Recovery != nil {
			row.Recovery = d.Recovery.String()
		}
		if d.Days != nil {
			row.Days = strconv.Itoa(*d.Days)
		}
		rows = append(rows, row)
	}
	return rows
}

func dateOf(d *timeseries.Date) string {
	if d == nil {
		return "–"
	}
	return d.String()
}
