package backtest

import (
	"time"

	"ballast/timeseries"
)

// periodStart returns the first day of the calendar period that holds d:
// weeks begin on Monday.
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

// periodNext returns the first day of the period after the one that starts on d.
func periodNext(every string, d timeseries.Date) timeseries.Date {
	y, m, day := d.YMD()
	switch every {
	case "weekly":
		return d + 7
	case "monthly":
		return timeseries.NewDate(y, m+1, day)
	case "quarterly":
		return timeseries.NewDate(y, m+3, day)
	case "yearly":
		return timeseries.NewDate(y+1, m, day)
	}
	return d + 1
}
