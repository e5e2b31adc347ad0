package backtest

import (
	"fmt"

	"ballast/timeseries"
)

// WarningKind is what a warning is about.
type WarningKind string

// The kinds of warnings.
const (
	WarnStale      WarningKind = "stale"      // sessions without a bar; the price stays unchanged
	WarnSuspended  WarningKind = "suspended"  // a position in a suspended member was turned into CASH
	WarnDelisted   WarningKind = "delisted"   // a position in a delisted member was turned into CASH
	WarnUntradable WarningKind = "untradable" // a target for a suspended or delisted member stayed in CASH
	WarnRuin       WarningKind = "ruin"       // equity fell to zero or below
)

// Warning is something that the reader of a result should know. There is at most one
// for each kind and member.
type Warning struct {
	Kind    WarningKind     `json:"kind"`
	Key     string          `json:"key,omitempty"` // the member
	Date    timeseries.Date `json:"date"`          // the first time
	Last    timeseries.Date `json:"last"`          // the last time
	Count   int             `json:"count"`         // number of times
	Message string          `json:"message"`
}

// warn records a warning for member i, or CashMember for none, on session t.
func (e *engine) warn(kind WarningKind, i, t int) {
	key := ""
	if i != CashMember {
		key = e.frame.Members[i].Key
	}
	date := e.frame.Axis[t]
	for k := range e.rows.warnings {
		if w := &e.rows.warnings[k]; w.Kind == kind && w.Key == key {
			w.Count++
			w.Last = date
			return
		}
	}
	e.rows.warnings = append(e.rows.warnings, Warning{Kind: kind, Key: key, Date: date, Last: date, Count: 1})
}

// describe sets the message from the other fields.
func (w *Warning) describe() {
	when := "on " + w.Date.String()
	if w.Count > 1 {
		when = fmt.Sprintf("%d times from %s to %s", w.Count, w.Date, w.Last)
	}
	switch w.Kind {
	case WarnStale:
		sessions := "on " + w.Date.String()
		if w.Count > 1 {
			sessions = fmt.Sprintf("on %d sessions from %s to %s", w.Count, w.Date, w.Last)
		}
		w.Message = fmt.Sprintf("%s has no bar %s; its last price stands there", w.Key, sessions)
	case WarnSuspended:
		w.Message = fmt.Sprintf("%s had no bar for more than %d sessions; its position became CASH at the last price %s", w.Key, staleLimit, when)
	case WarnDelisted:
		w.Message = fmt.Sprintf("%s is delisted; its position became CASH at the last price %s", w.Key, when)
	case WarnUntradable:
		w.Message = fmt.Sprintf("a target on %s stayed in CASH %s: it was suspended or delisted", w.Key, when)
	case WarnRuin:
		w.Message = fmt.Sprintf("equity fell to zero or below %s; nothing is held or earned from then on", when)
	}
}
