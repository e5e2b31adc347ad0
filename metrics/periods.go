package metrics

import (
	"time"

	"ballast/internal/number"
	"ballast/timeseries"
)

// Period is the compounded return of one calendar month.
type Period struct {
	Year   int
	Month  time.Month
	Growth float64 // 1 + the month's return
}

// flatMonth is the return within which a month counts as flat: a price that ends
// where it began gives daily returns whose product misses 1 by rounding.
const flatMonth = 1e-12

// Months compounds daily returns by calendar month, in order of time; months
// without a session are left out. It panics where the lengths differ.
func Months(dates []timeseries.Date, returns []float64) []Period {
	if len(dates) != len(returns) {
		panic("metrics: dates and returns differ in length")
	}
	var months []Period
	for i := 0; i < len(dates); {
		year, month, _ := dates[i].YMD()
		next := timeseries.NewDate(year, month+1, 1)
		from := i
		for i < len(dates) && dates[i] < next {
			i++
		}
		months = append(months, Period{year, month, Growth(returns[from:i])})
	}
	return months
}

// compounded is the growth over all periods.
func compounded(periods []Period) float64 {
	growth := 1.0
	for _, p := range periods {
		growth *= p.Growth
	}
	return growth
}

// Year is one row of the table of months.
type Year struct {
	Year       int              `json:"year"`
	Months     [12]number.Float `json:"months"` // null for months without a session
	YearReturn number.Float     `json:"year_return"`
	Partial    bool             `json:"partial"` // the series covers a part of the year
}

// years arranges months in rows, marking a first and last year that the series
// does not cover from its first to its last day.
func years(s timeseries.Series, months []Period, barsPerYear int) []Year {
	table := []Year{}
	growth := 1.0
	for _, m := range months {
		if n := len(table); n == 0 || table[n-1].Year != m.Year {
			row := Year{Year: m.Year}
			for i := range row.Months {
				row.Months[i] = number.NaN()
			}
			table, growth = append(table, row), 1
		}
		row := &table[len(table)-1]
		growth = float64(growth * m.Growth)
		row.Months[m.Month-1] = number.Float(m.Growth - 1)
		row.YearReturn = number.Float(growth - 1)
	}
	if n := len(table); n > 0 {
		// The base must stand in the year before: what happened between New
		// Year and a later base is not in the series.
		if s.Base == timeseries.NoDate || s.Base >= timeseries.NewDate(table[0].Year, time.January, 1) {
			table[0].Partial = true
		}
		if s.Last() < lastSession(table[n-1].Year, barsPerYear) {
			table[n-1].Partial = true
		}
	}
	return table
}

// lastSession is the last day of a year on calendar days, and the last weekday
// of December otherwise, on which exchanges trade.
func lastSession(year, barsPerYear int) timeseries.Date {
	day := timeseries.NewDate(year, time.December, 31)
	if barsPerYear > 300 {
		return day
	}
	for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		day--
	}
	return day
}
