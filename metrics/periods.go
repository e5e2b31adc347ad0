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
	Growth float64 // 1 + return of the month
}

// flatMonth is the largest absolute return of a month that counts as flat. The daily
// returns of a price that ends where it started compound to 1 only up to rounding.
const flatMonth = 1e-12

// Months compounds daily returns by calendar month, in order of time. Months without a
// session are left out. It panics if the lengths differ.
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

// compounded returns the growth over all periods.
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
	Partial    bool             `json:"partial"` // the series covers only part of the year
}

// years arranges months in rows of one year, and marks the first and last year as
// partial if the series does not cover them completely.
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
		// For a complete first year the base must be in the year before. Returns
		// between New Year and a later base are not in the series.
		if s.Base == timeseries.NoDate || s.Base >= timeseries.NewDate(table[0].Year, time.January, 1) {
			table[0].Partial = true
		}
		if s.Last() < lastSession(table[n-1].Year, barsPerYear) {
			table[n-1].Partial = true
		}
	}
	return table
}

// lastSession returns the last session of a year: 31 December on calendar days, and the
// last weekday of December otherwise, on which exchanges are open.
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
