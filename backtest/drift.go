package backtest

import (
	"errors"
	"math"
)

// Equity that its number does not hold is none: below leastEquity numbers lose
// their digits and reciprocals overflow, and beside holdings of more than
// mostExposure times as much it is lost in their rounding.
const (
	leastEquity  = 0x1p-1022
	mostExposure = 1e12
)

var errEquityTooLarge = errors.New("equity is too large for a number")

// drift lets the holdings run from the close of session a to that of session b
// and writes the rows a+1 to b, or up to the session of ruin.
func (e *engine) drift(a, b int) error {
	ra, rb := e.row(a)+1, e.row(b)+1
	equity, gross := e.rows.equity[ra:rb], e.rows.gross[ra:rb]
	e.weighed = false
	copy(e.opening, e.hold)
	// Until the end of the segment gross holds the longs and equity the shorts.
	e.panel.Run(gross, e.hold, e.longs, a+1)
	e.panel.Run(equity, e.hold, e.shorts, a+1)
	returns := e.rows.returns[ra:rb]
	previous := e.equity
	perPrevious := 1 / previous
	highest := max(e.tally.gross, e.rows.gross[ra-1])
	fastest := 0.0
	returns, gross = returns[:len(equity)], gross[:len(equity)]
	for k := range equity {
		long, short := gross[k], equity[k]
		value := e.cash + long + short
		perValue := 1 / value
		exposure := (long - short) * perValue
		if !(value >= leastEquity && exposure <= mostExposure) {
			e.tally.gross = highest
			if !finite([]float64{long - short, value, previous, fastest}) {
				return e.tooLarge(a+1, a+1+k)
			}
			return e.ruined(a, a+1+k, previous)
		}
		growth := float64(value * perPrevious)
		returns[k] = growth - 1
		equity[k] = value
		gross[k] = exposure
		previous, perPrevious = value, perValue
		if growth > fastest {
			fastest = growth
		}
		if exposure > highest && k < len(equity)-1 { // trades may follow on the last one
			highest = exposure
		}
	}
	e.tally.gross = highest
	if !finite([]float64{previous, fastest}) {
		return e.tooLarge(a+1, b)
	}
	if e.opt.Weights || e.opt.Contributions {
		e.record(a, b)
	}
	e.equity = previous
	return nil
}

// tooLarge is the error of a segment, from session a to session b, in which
// equity or a return overflowed: it names the first such session.
func (e *engine) tooLarge(a, b int) error {
	for ; a < b; a++ {
		if r := e.row(a); !finite([]float64{e.rows.returns[r], e.rows.equity[r]}) {
			break
		}
	}
	return &DecisionError{Date: e.frame.Axis[a], Err: errEquityTooLarge}
}

// ruined ends the run on session t of a segment that began at the close of a;
// previous is the equity of the close before t.
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
	if !finite([]float64{turnover}) {
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
