package backtest

import "strconv"

// String describes the schedule, such as "monthly", "monthly, session 1" or
// "weekly, wed".
func (s Schedule) String() string {
	switch {
	case s.Weekday != "":
		return s.Every + ", " + s.Weekday
	case s.Every != "daily" && s.Session != -1:
		return s.Every + ", session " + strconv.Itoa(s.Session)
	}
	return s.Every
}
