package program

import (
	"context"
	"slices"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// ViewStart is the first date of the default view, NoDate where the view is the
// whole history: the model's start date; else the first session after the first
// bar of the member that its start rule waits for.
func (m *Sheet) ViewStart() timeseries.Date {
	if m.StartDate != timeseries.NoDate || m.Live == nil {
		return m.StartDate
	}
	decisive := DecisiveFirst(m.StartRule, m.Live.Members)
	if decisive <= m.Live.Base {
		return timeseries.NoDate
	}
	if s := m.Live.Summary; s != nil && s.Alignment.BarsPerYear == calendarDays {
		return decisive + 1
	}
	sessions := calendar.XNYS()
	if decisive >= calendar.Last-7 {
		return decisive + 1
	}
	return sessions.Session(sessions.Count(decisive))
}

// View is where the default view of a result begins: its first date with a return,
// and the session before it.
type View struct {
	Base  timeseries.Date
	Start timeseries.Date
}

// Sessions reads the sessions of a complete run's result, its base first. They
// are shared: callers do not write to them.
type Sessions interface {
	Sessions(ctx context.Context, run *Run) ([]timeseries.Date, error)
}

// Window gives the row of the base and the row after the last for dates from
// start to end, inclusive, among the sessions of a result; a window without rows
// is an empty one.
func Window(sessions []timeseries.Date, start, end timeseries.Date) (from, to int) {
	from, to = 0, len(sessions)
	if start != timeseries.NoDate {
		at, _ := slices.BinarySearch(sessions, start)
		from = max(0, at-1)
	}
	if end != timeseries.NoDate {
		to, _ = slices.BinarySearch(sessions, end+1)
	}
	return from, max(to, from+1)
}

// view is where the default view of a model begins on the sessions of its result,
// as the history has it; nil where it is the whole history.
func (s *Models) view(ctx context.Context, m *Sheet) (*View, error) {
	if m.Live.First == timeseries.NoDate || m.ViewStart() <= m.Live.First {
		return nil, nil
	}
	dates, err := s.sessions.Sessions(ctx, m.Live)
	if err != nil {
		return nil, err
	}
	from, _ := Window(dates, min(m.ViewStart(), m.Live.Last), timeseries.NoDate)
	return &View{Base: dates[from], Start: dates[from+1]}, nil
}

// calendarDays is the sessions a year of a model that trades on every day.
const calendarDays = 365

// DecisiveFirst is the first bar of the member that decides where a history
// begins under a rule, NoDate where none does.
func DecisiveFirst(rule string, members []Member) timeseries.Date {
	if len(members) == 0 || rule == startDateRule {
		return timeseries.NoDate
	}
	firsts := make([]timeseries.Date, len(members))
	for i, m := range members {
		firsts[i] = m.First
	}
	slices.Sort(firsts)
	switch backtest.Start(rule) {
	case backtest.StartFirstMember:
		return firsts[0]
	case backtest.StartTwoMembers:
		return firsts[min(1, len(firsts)-1)]
	}
	return firsts[len(firsts)-1]
}

// BackfillGain is the first date that would decide where a history begins under a
// rule if those members were backfilled that decide it now, and how many sessions
// of the exchange that adds; 0 where a model is among them, which cannot be
// backfilled, or no other member goes back further.
func BackfillGain(rule string, members []Member) (first timeseries.Date, sessions int) {
	decisive := DecisiveFirst(rule, members)
	if decisive == timeseries.NoDate {
		return decisive, 0
	}
	next := timeseries.NoDate
	for _, m := range members {
		switch {
		case m.First == decisive && m.Kind != MemberAsset:
			return timeseries.NoDate, 0
		case m.First < decisive:
			next = max(next, m.First)
		}
	}
	if next == timeseries.NoDate {
		return next, 0
	}
	plan := calendar.XNYS()
	return next, plan.Count(decisive) - plan.Count(next)
}
