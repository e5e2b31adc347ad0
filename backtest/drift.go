package backtest

import (
	"errors"
	"math"

	"ballast/backtest/internal/drift"
)

var errEquityTooLarge = errors.New("equity is too large for a float64")

// drift compounds the holdings from the close of session a to that of session b and
// writes the rows a+1 to b, or up to the session of ruin.
func (e *engine) drift(a, b int) error {
	ra, rb := e.row(a)+1, e.row(b)+1
	equity, gross := e.rows.equity[ra:rb], e.rows.gross[ra:rb]
	e.weighed = false
	copy(e.opening, e.hold)
	// Until drift.Close, gross holds the value of the longs and equity that of the
	// shorts.
	e.panel.Run(gross, e.hold, e.longs, a+1)
	e.panel.Run(equity, e.hold, e.shorts, a+1)
	returns := e.rows.returns[ra:rb]
	previous := e.equity
	highest := max(e.tally.gross, e.rows.gross[ra-1])
	closed, highest := drift.Close(returns, equity, gross, e.cash, previous, highest)
	e.tally.gross = highest
	if closed > 0 {
		previous = equity[closed-1]
	}
	if closed < len(equity) {
		return e.broken(a, a+1+closed, previous)
	}
	if e.opt.Weights || e.opt.Contributions {
		e.record(a, b)
	}
	e.equity = previous
	return nil
}

// broken handles session t, on which a segment that started at the close of a has no
// valid equity: it is ruin, or an error if a number overflowed.
func (e *engine) broken(a, t int, previous float64) error {
	r := e.row(t)
	long, short := e.rows.gross[r], e.rows.equity[r]
	value := e.cash + long + short
	if growth := float64(value * (1 / previous)); !drift.Finite([]float64{long - short, value, growth}) {
		return &DecisionError{Date: e.frame.Axis[t], Err: errEquityTooLarge}
	}
	return e.ruined(a, t, previous)
}

// ruined ends the run on session t of a segment that started at the close of a.
// previous is the equity at the close before t.
func (e *engine) ruined(a, t int, previous float64) error {
	copy(e.hold, e.opening)
	e.save(a)
	e.ruin = t
	r := e.row(t)
	e.rows.returns[r] = -1
	clear(e.rows.returns[r+1:])
	clear(e.rows.equity[r:])
	clear(e.rows.gross[r:])
	e.warn(WarnRuin, CashMember, t)
	if e.opt.Weights || e.opt.Contributions {
		e.recordRuin(a, t)
	}
	var turnover float64
	if e.opt.Ledger {
		e.openEvent(t, t, ReasonRuin, 0)
	}
	for i, h := range e.hold {
		if h == 0 {
			continue
		}
		for _, x := range e.panel.Column(i)[a+1 : t+1] {
			h = float64(h * (1 + x))
		}
		before := h / previous
		turnover += math.Abs(before)
		e.tally.trades++
		if e.opt.Ledger {
			e.rows.trades = append(e.rows.trades, Trade{Member: i, Before: before})
		}
		e.hold[i] = 0
	}
	if math.IsInf(turnover, 1) {
		return &DecisionError{Date: e.frame.Axis[t], Err: errEquityTooLarge}
	}
	e.rows.traded[r] = turnover
	if e.opt.Ledger {
		e.rows.ledger[len(e.rows.ledger)-1].Turnover = turnover
		e.closeEvent()
	}
	e.equity, e.cash = 0, 0
	return nil
}
