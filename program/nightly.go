package program

import (
	"time"
	_ "time/tzdata" // sessions end in New York time, even if the machine has no time zone data

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// Nightly is the schedule of the recurring refresh: a delay after each planned
// session of the New York Stock Exchange closes. Early closes are ignored.
type Nightly struct {
	Delay time.Duration // from 0 to under a day
}

// sessionEnd is when a session closes, in New York time.
const sessionEnd = 16 * time.Hour

// newYork is loaded once. The rules of the time zone are compiled in.
var newYork = func() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic("program: the time zone of New York is not known: " + err.Error())
	}
	return zone
}()

// at returns when the refresh of a session is due.
func (n Nightly) at(session timeseries.Date) time.Time {
	y, m, d := session.YMD()
	close := time.Date(y, m, d, int(sessionEnd.Hours()), 0, 0, 0, newYork)
	return close.Add(n.Delay)
}

// Session returns the last session whose refresh was due at the time now.
func (n Nightly) Session(now time.Time) timeseries.Date {
	cal := calendar.XNYS()
	y, m, d := now.In(newYork).Date()
	i := cal.Count(timeseries.NewDate(y, m, d)) - 1
	for i > 0 && n.at(cal.Session(i)).After(now) {
		i--
	}
	return cal.Session(max(i, 0))
}

// Next returns when the next refresh after now is due.
func (n Nightly) Next(now time.Time) time.Time {
	cal := calendar.XNYS()
	return n.at(cal.Session(cal.Count(n.Session(now)))).UTC()
}
