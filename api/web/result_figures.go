package web

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/metrics"
	"ballast/timeseries"
)

// yearRow is a year of monthly returns.
type yearRow struct {
	Year    int
	Months  [12]cellOfYear
	Whole   string
	Partial bool // the result covers only part of the year
}

// cellOfYear is a value and the class of its colour.
type cellOfYear struct{ Text, Class string }

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

// yearRows returns one row per year, latest first.
func yearRows(years []metrics.Year) []yearRow {
	var rows []yearRow
	for _, y := range slices.Backward(years) {
		row := yearRow{Year: y.Year, Whole: percent(float64(y.YearReturn), 1), Partial: y.Partial}
		for m, v := range y.Months {
			if !math.IsNaN(float64(v)) {
				row.Months[m] = cellOfYear{percent(float64(v), 1), heat(float64(v), .1)}
			}
		}
		rows = append(rows, row)
	}
	return rows
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

// rollingRow is the range of the annual returns over all windows of a length.
type rollingRow struct{ Window, Worst, Median, Best string }

func rollingRows(r *metrics.Rolling) []rollingRow {
	var rows []rollingRow
	for _, x := range []struct {
		window string
		metrics.Range
	}{{"1 year", r.OneYear}, {"3 years", r.ThreeYear}, {"5 years", r.FiveYear}} {
		if !math.IsNaN(float64(x.Median)) {
			rows = append(rows, rollingRow{x.window, percent(float64(x.Min), 1), percent(float64(x.Median), 1), percent(float64(x.Max), 1)})
		}
	}
	return rows
}
