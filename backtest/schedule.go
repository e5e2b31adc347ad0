package backtest

import (
	"fmt"
	"slices"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// Sessions returns the axis positions of the decision sessions, in ascending order and
// from position from on. They are the planned sessions of cal, each moved to the first
// session of the axis on or after it. A session number beyond the end of a short
// period means its last session (or its first, for a negative number). Planned
// sessions before the axis are dropped.
func (s Schedule) Sessions(axis []timeseries.Date, cal calendar.Calendar, from int) ([]int, error) {
	if len(axis) == 0 {
		return nil, nil
	}
	first, last := axis[0], axis[len(axis)-1]
	if first < calendar.First || last > calendar.Last {
		return nil, fmt.Errorf("dates from %s to %s are outside the calendar, which covers %s to %s", first, last, calendar.First, calendar.Last)
	}
	if s.Every == "daily" {
		all := make([]int, 0, len(axis)-from)
		for t := from; t < len(axis); t++ {
			all = append(all, t)
		}
		return all, nil
	}
	positions := make([]int, 0, 64+len(axis)/16)
	starts := periodStarts(s.Every, first, last)
	for p, next := range starts[1:] {
		day, planned := s.planned(cal, starts[p], next)
		if !planned || day < first {
			continue
		}
		t := timeseries.From(axis, day)
		if t < len(axis) && t >= from && (len(positions) == 0 || positions[len(positions)-1] < t) {
			positions = append(positions, t)
		}
	}
	return positions, nil
}

// planned returns the planned decision day of the period [start, next). For a weekday
// it may be a holiday. It returns false for a period without any session.
func (s Schedule) planned(cal calendar.Calendar, start, next timeseries.Date) (timeseries.Date, bool) {
	if s.Weekday != "" {
		offset := (slices.Index(weekdays, s.Weekday) + 6) % 7
		return start + timeseries.Date(offset), true
	}
	before, through := cal.Count(start-1), cal.Count(next-1)
	if before == through {
		return 0, false
	}
	i := before + s.Session - 1
	if s.Session < 0 {
		i = through + s.Session
	}
	return cal.Session(min(max(i, before), through-1)), true
}
