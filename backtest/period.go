package backtest

import (
	"time"

	"ballast/timeseries"
)

// periodStart returns the first day of the calendar period that contains d. Weeks
// start on Monday.
func periodStart(every string, d timeseries.Date) timeseries.Date {
	switch every {
	case "weekly":
		return d - timeseries.Date((int(d.Weekday())+6)%7)
	case "monthly":
		y, m, _ := d.YMD()
		return timeseries.NewDate(y, m, 1)
	case "quarterly":
		y, m, _ := d.YMD()
		return timeseries.NewDate(y, (m-1)/3*3+1, 1)
	case "yearly":
		y, _, _ := d.YMD()
		return timeseries.NewDate(y, time.January, 1)
	}
	return d
}

// periodStarts returns the first days of the periods that cover first to last, and
// that of the period after them.
func periodStarts(every string, first, last timeseries.Date) []timeseries.Date {
	d := periodStart(every, first)
	y, m, _ := d.YMD()
	starts := make([]timeseries.Date, 0, int(last-d)/shortest(every)+3)
	for starts = append(starts, d); d <= last; starts = append(starts, d) {
		switch every {
		case "weekly":
			d += 7
		case "monthly":
			m++
			d = timeseries.NewDate(y, m, 1)
		case "quarterly":
			m += 3
			d = timeseries.NewDate(y, m, 1)
		case "yearly":
			m += 12
			d = timeseries.NewDate(y, m, 1)
		default:
			d++
		}
	}
	return starts
}

// shortest returns the minimum number of days in a period.
func shortest(every string) int {
	switch every {
	case "weekly":
		return 7
	case "monthly":
		return 28
	case "quarterly":
		return 90
	case "yearly":
		return 365
	}
	return 1
}
