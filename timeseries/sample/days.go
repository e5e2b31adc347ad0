package sample

import (
	"time"

	"ballast/timeseries"
)

// Days returns dates by their distance in days from Monday, 2024-01-01.
func Days(offsets ...int) []timeseries.Date {
	dates := make([]timeseries.Date, len(offsets))
	for i, o := range offsets {
		dates[i] = timeseries.NewDate(2024, time.January, 1) + timeseries.Date(o)
	}
	return dates
}
