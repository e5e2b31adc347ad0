package backtest

import "ballast/timeseries"

// Reason says why holdings were changed.
type Reason string

// The reasons of ledger events.
const (
	ReasonStart     Reason = "start"     // the first filled decision
	ReasonSchedule  Reason = "schedule"  // any later one
	ReasonSuspended Reason = "suspended" // forced sale of a suspended member
	ReasonDelisted  Reason = "delisted"  // forced sale of a delisted member
	ReasonRuin      Reason = "ruin"      // equity at or below zero
)

// Event is one filled decision or forced sale.
type Event struct {
	Fill     timeseries.Date // whose close it was filled at
	Decided  timeseries.Date // the decision session; of a forced sale, Fill
	Reason   Reason
	Turnover float64 // Σ|target − before| over the members, a fraction of equity
	Trades   []Trade // members with before or target, in universe order; views into one array
}

// Trade is one member's part of an event, in fractions of equity at the fill;
// of a ruin, where there is no equity left, of equity at the close before.
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

// openEvent starts an event; its trades are appended to rows.trades until closeEvent.
func (e *engine) openEvent(t, decided int, reason Reason, turnover float64) {
	axis := e.frame.Axis
	e.rows.ledger = append(e.rows.ledger, Event{Fill: axis[t], Decided: axis[decided], Reason: reason, Turnover: turnover})
	e.rows.open = len(e.rows.trades)
}

// closeEvent gives the event its trades. Growing the backing array leaves
// earlier views on the old one, which holds the same rows.
func (e *engine) closeEvent() {
	r := &e.rows
	r.ledger[len(r.ledger)-1].Trades = r.trades[r.open:len(r.trades):len(r.trades)]
}

// empty reports whether the open event has no trade yet.
func (e *engine) empty() bool { return len(e.rows.trades) == e.rows.open }
