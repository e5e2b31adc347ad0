package backtest

import (
	"fmt"
	"math"
)

// drift lets the holdings run from the close of session a to that of session b
// and writes the rows a+1 to b, or up to the session of ruin.
func (e *engine) drift(a, b int) error {
	ra, rb := e.row(a)+1, e.row(b)+1
	equity, gross := e.rows.equity[ra:rb], e.rows.gross[ra:rb]
	e.weighed = false
	// Until the end of the segment gross holds the longs and equity the shorts.
	e.accumulate(gross, e.longs, a+1)
	if len(e.shorts) > 0 {
		e.accumulate(equity, e.shorts, a+1)
	}
	returns := e.rows.returns[ra:rb]
	previous := e.equity
	perPrevious := 1 / previous
	highest := max(e.tally.gross, e.rows.gross[ra-1])
	returns, gross = returns[:len(equity)], gross[:len(equity)]
	for k := range equity {
		long, short := gross[k], equity[k]
		value := e.cash + long + short
		if !(value > 0) {
			e.tally.gross = highest
			return e.ruined(a, a+1+k, previous)
		}
		returns[k] = float64(value*perPrevious) - 1
		equity[k] = value
		previous = value
		perPrevious = 1 / value
		exposure := (long - short) * perPrevious
		gross[k] = exposure
		if exposure > highest && k < len(equity)-1 { // trades may follow on the last one
			highest = exposure
		}
	}
	e.tally.gross = highest
	if math.IsInf(previous, 1) {
		return &DecisionError{Date: e.frame.Axis[b], Err: fmt.Errorf("equity is too large for a number")}
	}
	if e.opt.Weights || e.opt.Contributions {
		e.record(a, b)
	}
	e.equity = previous
	for _, i := range e.longs {
		e.hold[i] = e.moved[i]
	}
	for _, i := range e.shorts {
		e.hold[i] = e.moved[i]
	}
	return nil
}

// accumulate adds the holdings of members, drifting from session from on, to
// sum, one element a session, and keeps their last values in moved. Members go
// four at a time: their chains of products are independent, so the processor
// works on them, and on their cache misses, side by side.
func (e *engine) accumulate(sum []float64, members []int, from int) {
	to := from + len(sum)
	next := min(to+len(sum), len(e.frame.Axis))
	wide := len(members) >= wideUniverse
	for ; len(members) >= 4; members = members[4:] {
		i, j, k, l := members[0], members[1], members[2], members[3]
		e.moved[i], e.moved[j], e.moved[k], e.moved[l] = drift4(sum,
			e.columns[i][from:to], e.columns[j][from:to], e.columns[k][from:to], e.columns[l][from:to],
			e.hold[i], e.hold[j], e.hold[k], e.hold[l])
		if wide {
			e.tally.ahead += touch(e.columns[i][to:next], e.columns[j][to:next], e.columns[k][to:next], e.columns[l][to:next])
		}
	}
	if len(members) >= 2 {
		i, j := members[0], members[1]
		e.moved[i], e.moved[j] = drift2(sum, e.columns[i][from:to], e.columns[j][from:to], e.hold[i], e.hold[j])
		members = members[2:]
	}
	for _, i := range members {
		e.moved[i] = drift1(sum, e.columns[i][from:to], e.hold[i])
	}
}

// wideUniverse is the number of held members from which a segment of all of
// them no longer lies in the first cache, so that looking ahead pays.
const wideUniverse = 64

// touch reads one number a cache line of the next stretch of four columns. The
// stretches of a segment are too short for the processor to foresee; asked for
// while it multiplies, they are there when the next segment begins. The sum has
// no meaning, but without it the reads would be left out.
func touch(r0, r1, r2, r3 []float64) float64 {
	r1, r2, r3 = r1[:len(r0)], r2[:len(r0)], r3[:len(r0)]
	var s0, s1, s2, s3 float64
	for t := 0; t < len(r0); t += 8 {
		s0 += r0[t]
		s1 += r1[t]
		s2 += r2[t]
		s3 += r3[t]
	}
	return s0 + s1 + s2 + s3
}

func drift1(sum, r []float64, h float64) float64 {
	r = r[:len(sum)]
	for t := range sum {
		h = float64(h * (1 + r[t]))
		sum[t] += h
	}
	return h
}

func drift2(sum, r0, r1 []float64, h0, h1 float64) (float64, float64) {
	r0, r1 = r0[:len(sum)], r1[:len(sum)]
	for t := range sum {
		h0 = float64(h0 * (1 + r0[t]))
		h1 = float64(h1 * (1 + r1[t]))
		sum[t] += h0 + h1
	}
	return h0, h1
}

func drift4(sum, r0, r1, r2, r3 []float64, h0, h1, h2, h3 float64) (float64, float64, float64, float64) {
	r0, r1, r2, r3 = r0[:len(sum)], r1[:len(sum)], r2[:len(sum)], r3[:len(sum)]
	for t := range sum {
		h0 = float64(h0 * (1 + r0[t]))
		h1 = float64(h1 * (1 + r1[t]))
		h2 = float64(h2 * (1 + r2[t]))
		h3 = float64(h3 * (1 + r3[t]))
		sum[t] += (h0 + h1) + (h2 + h3)
	}
	return h0, h1, h2, h3
}

// ruined ends the run on session t of a segment that began at the close of a;
// previous is the equity of the close before t.
func (e *engine) ruined(a, t int, previous float64) error {
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
		for _, x := range e.columns[i][a+1 : t+1] {
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
	e.rows.traded[r] = turnover
	if e.opt.Ledger {
		e.rows.ledger[len(e.rows.ledger)-1].Turnover = turnover
		e.closeEvent()
	}
	e.equity, e.cash = 0, 0
	return nil
}
