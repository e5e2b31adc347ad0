package program

import (
	"time"
	_ "time/tzdata" // sessions end in New York, whatever the machine knows of zones

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// Nightly is the time of the recurring refresh: so long after the close of each
// session of the New York Stock Exchange, as planned, early closes ignored.
type Nightly struct {
	Delay time.Duration // from 0 to under a day
}

// sessionEnd is when a session closes in New York.
const sessionEnd = 16 * time.Hour

// newYork is loaded once: the zone's rules are part of the program.
var newYork = func() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic("program: the time zone of New York is not known: " + err.Error())
	}
	return zone
}()

// at is when the refresh of a session is due.
func (n Nightly) at(session timeseries.Date) time.Time {
	y, m, d := session.YMD()
	close := time.Date(y, m, d, int(sessionEnd.Hours()), 0, 0, 0, newYork)
	return close.Add(n.Delay)
}

// Session is the last session whose refresh was due by then.
func (n Nightly) Session(now time.Time) timeseries.Date {
	cal := calendar.XNYS()
	y, m, d := now.In(newYork).Date()
	i := cal.Count(timeseries.NewDate(y, m, d)) - 1
	for i > 0 && n.at(cal.Session(i)).After(now) {
		i--
	}
	return cal.Session(max(i, 0))
}

// Next is when the next refresh is due after now.
func (n Nightly) Next(now time.Time) time.Time {
	cal := calendar.XNYS()
	return n.at(cal.Session(cal.Count(n.Session(now)))).UTC()
}
