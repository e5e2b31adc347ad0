package backtest

import (
	"fmt"
	"math"
	"slices"
)

var periods = []string{"daily", "weekly", "monthly", "quarterly", "yearly"}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"} // by time.Weekday

// Check returns an error for the first invalid field of s.
func (s Spec) Check() error {
	if s.Fill != FillClose && s.Fill != FillNextClose {
		return fmt.Errorf("unknown fill %q: it must be %s or %s", s.Fill, FillClose, FillNextClose)
	}
	if s.Start != StartAllMembers && s.Start != StartTwoMembers && s.Start != StartFirstMember {
		return fmt.Errorf("unknown start %q: it must be %s, %s or %s", s.Start, StartAllMembers, StartTwoMembers, StartFirstMember)
	}
	if !(s.InitialCash > 0) || math.IsInf(s.InitialCash, 1) {
		return fmt.Errorf("initial cash %v is not a positive amount", s.InitialCash)
	}
	return s.Schedule.Check()
}

// Check returns an error for the first invalid field of s.
func (s Schedule) Check() error {
	switch {
	case !slices.Contains(periods, s.Every):
		return fmt.Errorf("unknown schedule %q: it must be one of %v", s.Every, periods)
	case s.Weekday != "" && s.Every != "weekly":
		return fmt.Errorf("schedule %s takes no weekday", s.Every)
	case s.Weekday != "" && !slices.Contains(weekdays, s.Weekday):
		return fmt.Errorf("unknown weekday %q: it must be mon, tue, wed, thu, fri, sat or sun", s.Weekday)
	case s.Weekday == "" && s.Every != "daily" && s.Session == 0:
		return fmt.Errorf("schedule %s has session 0: 1 is the first of the period, -1 the last", s.Every)
	}
	return nil
}
