package backtest

import (
	"context"
	"fmt"
	"slices"

	"ballast/backtest/internal/drift"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// Run backtests the decisions of d over frame f.
//
// The error is a *DecisionError if a decision fails, a *StartError if the model never
// starts, ctx's error if the run is canceled, and a plain error if spec or frame is
// invalid. The result shares no memory with the frame. The same arguments give the
// same result, bit for bit.
func Run(ctx context.Context, f *timeseries.Frame, spec Spec, d Decider, opt Options) (*Result, error) {
	if err := spec.Check(); err != nil {
		return nil, err
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
	if err := e.run(ctx, sessions[0], sessions); err != nil {
		return nil, err
	}
	if e.base < 0 {
		return nil, &StartError{Message: fmt.Sprintf("no decision was filled from %s to %s: decide returned None on all of %d decision sessions, or on all but the last",
			f.Axis[sessions[0]], f.Axis[len(f.Axis)-1], len(sessions))}
	}
	return e.result(cal), nil
}

// decisionSessions returns the axis positions of the decision sessions: the session on
// which the model starts, and those of the schedule after it.
func decisionSessions(f *timeseries.Frame, spec Spec, cal calendar.Calendar) ([]int, error) {
	start, err := startSession(f, spec)
	if err != nil {
		return nil, err
	}
	sessions, err := spec.Schedule.Sessions(f.Axis, cal, start)
	if err != nil {
		return nil, err
	}
	if len(sessions) == 0 || sessions[0] != start {
		sessions = slices.Insert(sessions, 0, start)
	}
	return sessions, nil
}

// engine is the state of one run at the close of session t.
type engine struct {
	frame   *timeseries.Frame
	spec    Spec
	decider Decider
	opt     Options
	panel   *drift.Panel // the members' returns

	hold        []float64 // one per member, in currency; negative if short
	opening     []float64 // hold at the start of the latest segment
	longs       []int     // members with a positive holding, in ascending order
	shorts      []int     // members with a negative holding, in ascending order
	cash        float64
	equity      float64
	weights     []float64 // hold / equity; current only if weighed
	weighed     bool
	target      []float64 // of the latest decision
	asked       []float64 // the slice that the decider fills; becomes target if it trades
	pending     bool      // the latest decision is not filled yet
	tradable    []bool
	untradable  int  // number of members that cannot be traded
	allTradable bool // all members could be traded at the latest decision
	events      []event
	gaps        []gap
	next        int // index of the next event

	session Session
	decided []int // axis positions of the decisions taken, filled or not
	filled  int   // number of decisions that are filled

	base   int // axis position of the first fill, -1 before it
	origin int // axis position of row 0: the base, or the session from which the run was resumed
	rows   rows
	ruin   int // axis position of the ruin, or -1
	tally  tally
	state  *State // the saved state, or nil
}

// rows are the per-session results from the origin on.
type rows struct {
	returns, equity, gross, traded []float64
	weights, contributions         [][]float64 // by member; nil if never held
	cashWeight, cashContribution   []float64
	ledger                         []Event
	trades                         []Trade // backing array of the events' trades
	open                           int     // first trade of the event being written
	most                           int     // maximum number of rows in the ledger
	warnings                       []Warning
	custom                         recorder
}

// tally holds the counts for the summary.
type tally struct {
	trades int     // changes of a member's weight
	fills  int     // filled decisions
	gross  float64 // the highest exposure at a close

	turnover float64 // notional traded after the base, up to the origin
	logged   int     // rows of the ledger, including dropped ones
	asked    int     // rows of filled decisions, including dropped ones
}

// newEngine returns an engine before the first session. decisions is the number of
// decision sessions.
func newEngine(f *timeseries.Frame, spec Spec, d Decider, opt Options, decisions int) *engine {
	n := len(f.Members)
	floats := make([]float64, 5*n)
	indices := make([]int, 2*n)
	e := &engine{
		frame: f, spec: spec, decider: d, opt: opt,
		hold:     floats[:n:n],
		opening:  floats[n : 2*n : 2*n],
		weights:  floats[2*n : 3*n : 3*n],
		target:   floats[3*n : 4*n : 4*n],
		asked:    floats[4*n:],
		longs:    indices[:0:n],
		shorts:   indices[n : n : 2*n],
		tradable: make([]bool, n),
		cash:     spec.InitialCash, equity: spec.InitialCash,
		decided: make([]int, 0, decisions),
		base:    -1, ruin: -1,
		untradable: n,
	}
	columns := make([][]float64, n)
	for i := range f.Members {
		columns[i] = f.Members[i].Returns
	}
	e.panel = drift.NewPanel(columns)
	e.events, e.gaps = standing(f)
	e.rows.most = opt.LedgerRows
	if e.rows.most == 0 {
		e.rows.most = MaxLedgerRows
	}
	e.rows.custom.sessions = len(f.Axis)
	e.session = Session{Frame: f, Weights: e.weights, Tradable: e.tradable, Last: -1, custom: &e.rows.custom}
	return e
}

// run goes from stop to stop: decision sessions, pending fills and forced sales. It
// starts at the stop on session t. sessions are the decision sessions from t on.
func (e *engine) run(ctx context.Context, t int, sessions []int) error {
	for {
		var err error
		if sessions, err = e.stop(ctx, t, sessions); err != nil {
			return err
		}
		on, next, err := e.driftOn(t, sessions)
		if err != nil || !on {
			return err
		}
		t = next
	}
}

// stop does what is due on session t and returns the decision sessions after it.
func (e *engine) stop(ctx context.Context, t int, sessions []int) ([]int, error) {
	e.advance(t)
	if e.pending {
		if err := e.fill(t); err != nil {
			return nil, err
		}
	}
	if len(sessions) == 0 || sessions[0] != t {
		return sessions, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	trade, err := e.decide(t)
	if err != nil {
		return nil, err
	}
	if e.pending = trade; trade && e.spec.Fill == FillClose {
		err = e.fill(t)
	}
	return sessions[1:], err
}

// driftOn drifts from the stop on session t to the next one. on is false if there is
// no next stop.
func (e *engine) driftOn(t int, sessions []int) (on bool, next int, err error) {
	last := len(e.frame.Axis) - 1
	if t == last {
		return false, t, nil
	}
	next = last
	switch {
	case e.pending:
		next = t + 1
	case len(sessions) > 0:
		next = sessions[0]
	}
	next = e.forcedBefore(next)
	if e.base < 0 {
		return true, next, nil
	}
	if next == last {
		e.save(t)
	}
	err = e.drift(t, next)
	return e.ruin < 0, next, err
}

// forcedBefore returns the session of the next forced sale of a held member, or stop
// if there is none before it.
func (e *engine) forcedBefore(stop int) int {
	for _, v := range e.events[e.next:] {
		if v.t >= stop {
			break
		}
		if v.kind >= eventSuspended && e.hold[v.member] != 0 {
			return v.t
		}
	}
	return stop
}

// row returns the row of axis position t.
func (e *engine) row(t int) int { return t - e.origin }

// begin makes t the base.
func (e *engine) begin(t int) {
	e.base = t
	e.makeRows(t)
}

// makeRows allocates the rows from axis position t on.
func (e *engine) makeRows(t int) {
	e.origin = t
	n := len(e.frame.Axis) - t
	floats := make([]float64, 4*n)
	e.rows.returns, e.rows.equity = floats[:n:n], floats[n:2*n:2*n]
	e.rows.gross, e.rows.traded = floats[2*n:3*n:3*n], floats[3*n:]
	e.rows.equity[0] = e.equity
	if e.opt.Weights {
		e.rows.weights = make([][]float64, len(e.hold))
		e.rows.cashWeight = make([]float64, n)
	}
	if e.opt.Contributions {
		e.rows.contributions = make([][]float64, len(e.hold))
		e.rows.cashContribution = make([]float64, n)
	}
}

// weigh updates the weights to the current holdings, if drift or trades have changed
// them.
func (e *engine) weigh() {
	if e.weighed {
		return
	}
	drift.Weigh(e.weights, e.hold, 1/e.equity)
	e.weighed = true
}
