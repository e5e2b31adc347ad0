package series

import (
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// KnownOn returns the session of the New York Stock Exchange at whose close a value with
// this date is known: a day's value at the first session on or after its date, a month's
// at the first session after the month, and each Lag sessions later. It returns NoDate
// if that is after the last session of the calendar.
//
// Sessions are the planned ones of the exchange even for models that trade every day, so
// that the same value becomes known on the same day to all of them.
func (s *Series) KnownOn(d timeseries.Date) timeseries.Date {
	plan := calendar.XNYS()
	first := plan.Count(d - 1) // the first session on or after d
	if s.Frequency == Monthly {
		first = plan.Count(d) // d is the month's last day
	}
	if first+s.Lag >= plan.Count(calendar.Last) {
		return timeseries.NoDate
	}
	return plan.Session(first + s.Lag)
}

// Known returns the session at which each value becomes known.
func (v *Values) Known() []timeseries.Date {
	known := make([]timeseries.Date, len(v.Dates))
	for i, d := range v.Dates {
		known[i] = v.Of.KnownOn(d)
	}
	return known
}
