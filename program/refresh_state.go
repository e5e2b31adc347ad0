package program

import (
	"fmt"

	"ballast/timeseries"
)

// RefreshState describes whether a model serves the latest data.
type RefreshState struct {
	State    string // current, stale, refreshing, blocked or off
	Blockers []RefreshBlocker
}

// RefreshBlocker is a reason why a model does not serve the latest data.
type RefreshBlocker struct {
	Kind    string // build, run, member or series
	ID      string // id of the build, of the member, of the series, or of the model whose run fails
	Message string
}

// RefreshState compares what the model serves with the available bars. session is the
// last finished session: a model whose result ends before it is stale, and its
// blockers name the members whose data ends before it.
func (s *Sheet) RefreshState(session timeseries.Date) RefreshState {
	r := RefreshState{State: "current"}
	switch {
	case s.Live == nil && s.Failure != nil:
		r.Blockers = append(r.Blockers, RefreshBlocker{Kind: "build", ID: s.BuildID, Message: s.Failure.Message})
	case s.Failures > 0:
		r.Blockers = append(r.Blockers, RefreshBlocker{Kind: "run", ID: s.ID, Message: s.LastError})
	}
	for _, b := range s.Blocked {
		r.Blockers = append(r.Blockers, RefreshBlocker{Kind: "member", ID: b.ID, Message: b.Symbol + ": " + b.Message})
	}
	for _, l := range s.Lost {
		r.Blockers = append(r.Blockers, RefreshBlocker{
			Kind: "series", ID: l.ID, Message: fmt.Sprintf("The series %s was deleted. Add a series with this name, or rebuild the model without it.", l.Name),
		})
	}
	switch {
	case s.InFlight != nil:
		r.State = "refreshing"
	case len(r.Blockers) > 0 || s.Live == nil:
		r.State = "blocked"
	case s.Waits, s.Newer():
		r.State = "stale"
	case s.Live.Last < session:
		r.State = "stale"
		for _, l := range s.Behind(session) {
			r.Blockers = append(r.Blockers, RefreshBlocker{Kind: "member", ID: l.ID, Message: l.behindMessage()})
		}
	case !s.AutoUpdate:
		r.State = "off"
	}
	return r
}

// behindMessage describes where a member's data ends.
func (l Lag) behindMessage() string {
	switch {
	case l.Last != timeseries.NoDate:
		return fmt.Sprintf("%s ends on %s", l.Symbol, l.Last)
	case l.Kind == MemberModel:
		return l.Symbol + " has no result"
	}
	return l.Symbol + " has no bars"
}
