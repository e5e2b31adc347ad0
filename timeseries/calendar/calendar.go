package calendar

import (
	"fmt"
	"sync"
	"time"

	"ballast/timeseries"
)

// The names of calendars in frames.
const (
	NameXNYS    = "XNYS"
	NameAllDays = "24/7"
)

// First and Last limit the days that every calendar covers.
var (
	First = timeseries.NewDate(1885, time.January, 1)
	Last  = timeseries.NewDate(2100, time.December, 31)
)

// Calendar lists a market's planned sessions from First to Last, numbered from 0. It is
// immutable and safe for concurrent use.
type Calendar interface {
	// Count returns the number of planned sessions up to and including d: 0 before First,
	// all of them after Last.
	Count(d timeseries.Date) int
	// Session returns the day of session i, 0 ≤ i < Count(Last). It panics for other i.
	Session(i int) timeseries.Date
}

// Named returns the calendar with a frame's name for it.
func Named(name string) (Calendar, error) {
	switch name {
	case NameXNYS:
		return XNYS(), nil
	case NameAllDays:
		return AllDays(), nil
	}
	return nil, fmt.Errorf("unknown calendar %q; accepted are %s and %s", name, NameXNYS, NameAllDays)
}

// XNYS returns the calendar of the New York Stock Exchange.
func XNYS() Calendar { return xnys() }

// AllDays returns the calendar on which every day is a session.
func AllDays() Calendar { return allDays{} }

// IsSession reports whether the market is planned to be open on d.
func IsSession(c Calendar, d timeseries.Date) bool { return c.Count(d) > c.Count(d-1) }

type allDays struct{}

func (allDays) Count(d timeseries.Date) int {
	return int(min(max(d, First-1), Last) - First + 1)
}

func (allDays) Session(i int) timeseries.Date {
	if i < 0 || i > int(Last-First) {
		panic(fmt.Sprintf("calendar: session %d is outside the calendar", i))
	}
	return First + timeseries.Date(i)
}

// table is a calendar indexed by day, so that both lookups take constant time.
type table struct {
	count    []int32           // by day from First: sessions up to and including it
	sessions []timeseries.Date // ascending
}

var xnys = sync.OnceValue(newXNYS)

func newXNYS() *table {
	t := &table{count: make([]int32, Last-First+1)}
	closed := make(map[timeseries.Date]bool)
	for y := 1885; y <= 2101; y++ { // a holiday of the next year may be observed in this one
		for _, d := range nyseHolidays(y) {
			closed[d] = true
		}
	}
	for _, d := range nyseSpecialClosings {
		closed[d] = true
	}
	for d := First; d <= Last; d++ {
		if nyseTradesOn(d) && !closed[d] {
			t.sessions = append(t.sessions, d)
		}
		t.count[d-First] = int32(len(t.sessions))
	}
	return t
}

func (t *table) Count(d timeseries.Date) int {
	switch {
	case d < First:
		return 0
	case d > Last:
		return len(t.sessions)
	}
	return int(t.count[d-First])
}

func (t *table) Session(i int) timeseries.Date { return t.sessions[i] }
