package backtest

import (
	"context"
	"fmt"
	"slices"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// Resume continues a run from a state, over a frame that is unchanged up to that
// state; the caller must check this with Fingerprint. Spec and options must be those
// of the run, and d must be a decider that has made the decisions up to the state.
//
// The result has the rows from the state's session on; of the first row only equity
// and exposure are set. Summary and state are those of the whole run. Continue, called
// on the result that has the state, joins the two.
func Resume(ctx context.Context, f *timeseries.Frame, spec Spec, d Decider, opt Options, s *State) (*Result, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	if err := s.Check(f); err != nil {
		return nil, fmt.Errorf("the state does not match the frame: %w", err)
	}
	cal, err := calendar.Named(f.Calendar)
	if err != nil {
		return nil, err
	}
	sessions, err := decisionSessions(f, spec, cal)
	if err != nil {
		return nil, err
	}
	e := newEngine(f, spec, d, opt, len(sessions))
	e.resume(s)
	after, _ := slices.BinarySearch(sessions, s.Session+1)
	sessions = sessions[after:]
	on, t, err := e.driftOn(s.Session, sessions)
	if err == nil && on {
		err = e.run(ctx, t, sessions)
	}
	if err != nil {
		return nil, err
	}
	return e.result(cal), nil
}

// resume restores the engine to the stop of s. s must have been checked.
func (e *engine) resume(s *State) {
	copy(e.hold, s.Hold)
	copy(e.target, s.Target)
	e.longs, e.shorts = append(e.longs, s.Longs...), append(e.shorts, s.Shorts...)
	e.cash, e.equity, e.pending = s.Cash, s.Equity, s.Pending
	for t := range s.Session + 1 {
		if s.Decided[t/8]>>(t%8)&1 != 0 {
			e.decided = append(e.decided, t)
		}
	}
	e.filled = len(e.decided) - pendingOf(s.Pending)
	e.session.Last = e.decided[len(e.decided)-1]
	e.tally = tally{
		trades: s.Trades, fills: s.Fills, gross: s.MaxGross, turnover: s.Turnover, logged: s.LedgerRows, asked: s.TargetRows,
	}
	for e.next < len(e.events) && e.events[e.next].t <= s.Session {
		e.stand(e.events[e.next])
		e.next++
	}
	e.rows.warnings = slices.Clone(s.Warnings)
	e.rows.custom.first = s.Session
	for _, name := range s.Custom {
		e.rows.custom.column(name)
	}
	e.base = s.Base
	e.makeRows(s.Session)
	e.rows.gross[0] = s.Gross
	if e.opt.Weights {
		for _, i := range s.Weights {
			e.column(e.rows.weights, i)
		}
	}
	if e.opt.Contributions {
		for _, i := range s.Contributions {
			e.column(e.rows.contributions, i)
		}
	}
}

// save stores the state at the stop on session t, if the options request it.
func (e *engine) save(t int) {
	if !e.opt.State {
		return
	}
	s := &State{
		Version: stateVersion, Session: t, Date: e.frame.Axis[t], Base: e.base,
		Hold: slices.Clone(e.hold), Longs: slices.Clone(e.longs), Shorts: slices.Clone(e.shorts),
		Cash: e.cash, Equity: e.rows.equity[e.row(t)], Gross: e.rows.gross[e.row(t)],
		Target: slices.Clone(e.target), Pending: e.pending, Decided: make([]byte, t/8+1),
		Trades: e.tally.trades, Fills: e.tally.fills, MaxGross: e.tally.gross, Turnover: e.turnoverTo(e.row(t)),
		LedgerRows: e.tally.logged, TargetRows: e.tally.asked, Warnings: slices.Clone(e.rows.warnings),
		Weights: columnsOf(e.rows.weights), Contributions: columnsOf(e.rows.contributions),
		Custom: e.rows.custom.names(),
	}
	for _, d := range e.decided {
		s.Decided[d/8] |= 1 << (d % 8)
	}
	if counting, ok := e.decider.(interface{ Steps() uint64 }); ok {
		s.Steps = counting.Steps()
	}
	e.state = s
}

// columnsOf returns the members that have a column.
func columnsOf(columns [][]float64) []int {
	list := []int{}
	for i, c := range columns {
		if c != nil {
			list = append(list, i)
		}
	}
	return list
}
