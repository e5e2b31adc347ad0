package backtest

import "ballast/timeseries"

// Reason says why holdings were changed.
type Reason string

// The reasons of ledger events.
const (
	ReasonStart     Reason = "start"     // the first filled decision
	ReasonSchedule  Reason = "schedule"  // any later filled decision
	ReasonSuspended Reason = "suspended" // forced sale of a suspended member
	ReasonDelisted  Reason = "delisted"  // forced sale of a delisted member
	ReasonRuin      Reason = "ruin"      // equity at or below zero
)

// Reasons lists all of them.
var Reasons = []Reason{ReasonStart, ReasonSchedule, ReasonSuspended, ReasonDelisted, ReasonRuin}

// Event is one filled decision or forced sale.
type Event struct {
	Fill     timeseries.Date // session at whose close it was filled
	Decided  timeseries.Date // the decision session; equals Fill for a forced sale
	Reason   Reason
	Turnover float64 // Σ|target − before| over the members, a fraction of equity
	Trades   []Trade // members whose Before or Target is not 0, in universe order; a view into one array
}

// Trade is one member's part of an event. Weights are fractions of equity at the fill,
// or of equity at the previous close for a ruin, which leaves no equity.
type Trade struct {
	Member int // position in the universe; CashMember for the row of an all-cash event
	Before float64
	Target float64
}

// CashMember stands for CASH in a trade.
const CashMember = -1

// Traded returns the notional, |target − before|.
func (t Trade) Traded() float64 {
	if t.Target > t.Before {
		return t.Target - t.Before
	}
	return t.Before - t.Target
}

// openEvent starts an event. Its trades are appended to rows.trades until closeEvent.
func (e *engine) openEvent(t, decided int, reason Reason, turnover float64) {
	axis := e.frame.Axis
	e.rows.ledger = append(e.rows.ledger, Event{Fill: axis[t], Decided: axis[decided], Reason: reason, Turnover: turnover})
	e.rows.open = len(e.rows.trades)
}

// closeEvent assigns the event its trades. When the backing array grows, earlier
// events keep views into the old one, which has the same rows.
func (e *engine) closeEvent() {
	r := &e.rows
	v := &r.ledger[len(r.ledger)-1]
	v.Trades = r.trades[r.open:len(r.trades):len(r.trades)]
	e.tally.logged += len(v.Trades)
	if v.Reason.decision() {
		e.tally.asked += len(v.Trades)
	}
	// Trim only at twice the limit, so that trimming moves at most one row for each
	// row that is added.
	if len(r.trades) > 2*r.most {
		e.trimLedger()
	}
}

// trimLedger drops the oldest events beyond the limit and moves the trades of the
// others to the front of their array.
func (e *engine) trimLedger() {
	r := &e.rows
	from := newest(r.ledger, r.most)
	n := copy(r.ledger, r.ledger[from:])
	clear(r.ledger[n:]) // otherwise they keep the old trades alive
	r.ledger = r.ledger[:n]
	kept := 0
	for i := range r.ledger {
		kept += len(r.ledger[i].Trades)
	}
	r.trades = r.trades[:copy(r.trades, r.trades[len(r.trades)-kept:])]
	at := 0
	for i := range r.ledger {
		v := &r.ledger[i]
		n := len(v.Trades)
		v.Trades = r.trades[at : at+n : at+n]
		at += n
	}
}

// newest returns the index of the first event to keep, so that the events from it on
// have at most most trades together. The last event is always kept.
func newest(events []Event, most int) int {
	from := len(events)
	for from > 0 {
		most -= len(events[from-1].Trades)
		if most < 0 && from < len(events) {
			break
		}
		from--
	}
	return from
}

// decision reports whether an event is a filled decision.
func (r Reason) decision() bool { return r == ReasonStart || r == ReasonSchedule }

// logs counts the rows of a ledger that are kept. The totals are the number of all
// rows, and of those of filled decisions.
func logs(ledger []Event, rows, asked int) (trades, targets Log) {
	trades, targets = Log{Total: rows}, Log{Total: asked}
	for i := range ledger {
		n := len(ledger[i].Trades)
		trades.Kept += n
		if ledger[i].Reason.decision() {
			targets.Kept += n
		}
	}
	return trades, targets
}

// empty reports whether the open event has no trade yet.
func (e *engine) empty() bool { return len(e.rows.trades) == e.rows.open }
