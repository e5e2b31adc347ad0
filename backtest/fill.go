package backtest

import (
	"fmt"
	"math"

	"ballast/backtest/internal/drift"
)

// cashDust is the fraction of equity below which the remainder of the targets counts
// as rounding and not as a position in CASH.
const cashDust = 1e-13

// fill trades to the targets of the latest decision at the close of session t.
func (e *engine) fill(t int) error {
	reason := ReasonSchedule
	if e.base < 0 {
		e.begin(t)
		reason = ReasonStart
	}
	e.weigh()
	e.leaveUntradable(t)
	n := len(e.target)
	v := drift.Invest(e.target, e.weights, e.hold, e.longs[:n], e.shorts[:n], e.equity)
	e.longs, e.shorts = e.longs[:v.Longs], e.shorts[:v.Shorts]
	gross := (v.Long - v.Short) / e.equity
	if !(gross <= drift.MostExposure) {
		return &DecisionError{Date: e.frame.Axis[e.session.Last], Err: fmt.Errorf("the target has a gross exposure of %.4g times equity; above %g equity is lost in the rounding", gross, drift.MostExposure)}
	}
	e.tally.trades += v.Trades
	e.cash = e.equity - (v.Long + v.Short)
	if math.Abs(e.cash) <= cashDust*e.equity {
		e.cash = 0
	}
	e.filled, e.pending = len(e.decided), false
	e.tally.fills++
	r := e.row(t)
	e.rows.gross[r] = gross
	e.rows.traded[r] += v.Turnover
	if e.opt.Ledger {
		e.writeFill(t, reason, v.Turnover)
	}
	if e.opt.Weights {
		e.rewriteWeights(t)
	}
	e.weighed = false
	return nil
}

// leaveUntradable sets targets for members that cannot be traded on session t to 0,
// so that they stay in CASH.
func (e *engine) leaveUntradable(t int) {
	if t == e.session.Last && e.allTradable { // nothing has changed since the decision
		return
	}
	for i, w := range e.target {
		if w != 0 && !e.tradable[i] {
			e.warn(WarnUntradable, i, t)
			e.target[i] = 0
		}
	}
}

// advance applies the changes of the members' status up to session t, and turns
// positions in suspended or delisted members into CASH.
func (e *engine) advance(t int) {
	for e.next < len(e.events) && e.events[e.next].t <= t {
		v := e.events[e.next]
		e.next++
		e.stand(v)
		switch v.kind {
		case eventSuspended:
			e.forcedSale(v, ReasonSuspended, WarnSuspended)
		case eventDelisted:
			e.forcedSale(v, ReasonDelisted, WarnDelisted)
		}
	}
}

// stand records whether a member can be traded after an event.
func (e *engine) stand(v event) {
	now := v.kind < eventSuspended
	if now == e.tradable[v.member] {
		return
	}
	e.tradable[v.member] = now
	if now {
		e.untradable--
	} else {
		e.untradable++
	}
}

// forcedSale turns a held member into CASH at its last price.
func (e *engine) forcedSale(v event, reason Reason, kind WarningKind) {
	h := e.hold[v.member]
	if h == 0 {
		return
	}
	before := h / e.equity
	e.hold[v.member] = 0
	e.weighed = false
	e.cash += h
	e.longs = remove(e.longs, v.member)
	e.shorts = remove(e.shorts, v.member)
	turnover := math.Abs(before)
	e.tally.trades++
	r := e.row(v.t)
	e.rows.traded[r] += turnover
	e.rows.gross[r] = e.grossNow()
	e.warn(kind, v.member, v.t)
	if e.opt.Ledger {
		e.openEvent(v.t, v.t, reason, turnover)
		e.rows.trades = append(e.rows.trades, Trade{Member: v.member, Before: before})
		e.closeEvent()
	}
	if e.opt.Weights {
		e.rewriteWeights(v.t)
	}
}

func (e *engine) grossNow() float64 {
	var gross float64
	for _, i := range e.longs {
		gross += e.hold[i]
	}
	for _, i := range e.shorts {
		gross -= e.hold[i]
	}
	return gross / e.equity
}

// remove removes v from a list, in place.
func remove(list []int, v int) []int {
	for k, x := range list {
		if x == v {
			return append(list[:k], list[k+1:]...)
		}
	}
	return list
}

// writeFill adds a filled decision to the ledger. e.weights must be the weights before
// it.
func (e *engine) writeFill(t int, reason Reason, turnover float64) {
	e.openEvent(t, e.decided[len(e.decided)-1], reason, turnover)
	for i, w := range e.target {
		if before := e.weights[i]; w != 0 || before != 0 {
			e.rows.trades = append(e.rows.trades, Trade{Member: i, Before: before, Target: w})
		}
	}
	if e.empty() {
		share := e.cash / e.equity
		e.rows.trades = append(e.rows.trades, Trade{Member: CashMember, Before: share, Target: share})
	}
	e.closeEvent()
}
