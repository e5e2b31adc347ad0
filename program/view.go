package program

import (
	"context"
	"slices"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// ViewStart returns the first date of the default view, or NoDate if the view is the
// whole history. It is the model's start date or, if none is set, the first session
// after the first bar of the member that decides under the start rule.
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

// View is where the default view of a result starts: its first date with a return,
// and the session before it.
type View struct {
	Base  timeseries.Date
	Start timeseries.Date
}

// Sessions reads the sessions of a complete run's result, starting with its base. The
// slice is shared and must not be changed.
type Sessions interface {
	Sessions(ctx context.Context, run *Run) ([]timeseries.Date, error)
}

// Window returns the rows of a result for the dates from start to end, inclusive: the
// row of the base and the row after the last. An empty window has only the base.
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

// view returns where the default view of a model starts, on the sessions of its
// result; nil if it is the whole history.
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

// calendarDays is the number of sessions per year of a model that trades every day.
const calendarDays = 365

// DecisiveFirst returns the first bar of the member that decides where a history
// starts under a rule, or NoDate if no member does.
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

// ConstrainedBy returns the keys of the members whose first dates decide where a history
// starts under a rule.
func ConstrainedBy(rule string, members []Member) []string {
	decisive := DecisiveFirst(rule, members)
	keys := []string{}
	for _, m := range members {
		if m.First == decisive {
			keys = append(keys, m.Key)
		}
	}
	return keys
}

// BackfillGain returns how much earlier a history could start under a rule if the
// members that decide now had backfills: the first date that would decide then, and
// the number of exchange sessions gained. sessions is 0 if a deciding member is a
// model, which cannot be backfilled, or if no other member starts earlier.
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
