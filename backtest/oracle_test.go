package backtest_test

import (
	"maps"
	"math"
	"slices"
	"time"

	"ballast/backtest"
	"ballast/timeseries"
)

// The oracle runs a backtest session by session, directly from the definitions, with
// maps for holdings and without regard to speed. It shares nothing with the engine
// except the types of its arguments and the planned sessions.

// oracleResult is the result of a run. After ruin there are no rows.
type oracleResult struct {
	rows         []oracleRow // from the base on
	events       []oracleEvent
	warnings     []backtest.Warning // without messages
	asked        []timeseries.Date  // the decision sessions
	decided      []timeseries.Date  // the sessions on which decide did not return None
	filled       bool               // whether the last decision was filled
	last         map[string]float64 // weights of the last decision
	fills        int
	sure, likely int // number of changes of a weight that are certainly, and probably, not rounding
	stale        map[string]int
}

type oracleRow struct {
	date                       timeseries.Date
	ret, equity, gross, traded float64
	weights, contributions     map[string]float64 // weights with CASH
	ruined                     bool
}

type oracleEvent struct {
	fill, decided timeseries.Date
	reason        backtest.Reason
	turnover      float64
	before        map[string]float64 // for members with a weight or a target
	target        map[string]float64
}

// oracleMarket has the returns by member and session.
type oracleMarket struct {
	axis    []timeseries.Date
	members []oracleMember
	planned func(timeseries.Date) bool
}

type oracleMember struct {
	key      string
	returns  []float64
	bars     []bool
	delisted bool
}

// first and last are the positions of the first and last bar, or -1 without bars.
func (m oracleMember) first() int { return slices.Index(m.bars, true) }

func (m oracleMember) last() int {
	last := -1
	for t, bar := range m.bars {
		if bar {
			last = t
		}
	}
	return last
}

// oracleDecide makes the decision of session t from the drifted weights; nil is None.
type oracleDecide func(t int, weights map[string]float64) map[string]float64

// oracleState is the state of a run at a close.
type oracleState struct {
	market       oracleMarket
	spec         backtest.Spec
	out          oracleResult
	row          *oracleRow
	t            int
	hold         map[string]float64
	cash, equity float64
	suspended    map[string]bool
	gone         map[string]bool
	missed       map[string]int // consecutive sessions without a bar
	base         timeseries.Date
}

func oracle(m oracleMarket, spec backtest.Spec, decide oracleDecide) oracleResult {
	s := &oracleState{
		market: m, spec: spec, hold: map[string]float64{}, cash: spec.InitialCash, equity: spec.InitialCash,
		suspended: map[string]bool{}, gone: map[string]bool{}, missed: map[string]int{}, base: timeseries.NoDate,
	}
	started := false
	var pending map[string]float64
	for t, date := range m.axis {
		s.t, s.row = t, &oracleRow{date: date, contributions: map[string]float64{}}
		s.countBars()
		if !s.earn() {
			break
		}
		s.sellForced()
		if pending != nil {
			s.fill(pending)
			pending = nil
		}
		starts := !started && oracleStarts(m, spec, t)
		started = started || starts
		if started && (starts || oracleScheduled(m, spec.Schedule, t)) {
			s.out.asked = append(s.out.asked, date)
			if target := decide(t, s.weights()); target != nil {
				s.out.decided, s.out.filled, s.out.last = append(s.out.decided, date), false, target
				if spec.Fill == backtest.FillClose {
					s.fill(target)
				} else {
					pending = target
				}
			}
		}
		if s.base != timeseries.NoDate {
			s.close()
		}
	}
	s.countStale()
	return s.out
}

func (s *oracleState) countBars() {
	for _, m := range s.market.members {
		switch first := m.first(); {
		case first < 0 || s.t < first:
		case m.bars[s.t]:
			s.missed[m.key], s.suspended[m.key] = 0, false
		default:
			s.missed[m.key]++
		}
	}
}

// earn applies the session's returns to the holdings. It returns false for ruin.
func (s *oracleState) earn() bool {
	previous, before := s.equity, maps.Clone(s.hold)
	s.equity = s.cash
	for _, m := range s.market.members {
		s.hold[m.key] *= 1 + m.returns[s.t]
		s.equity += s.hold[m.key]
		s.row.contributions[m.key] = (s.hold[m.key] - before[m.key]) / previous
	}
	s.row.ret = s.equity/previous - 1
	gross := 0.0
	for _, h := range s.hold {
		gross += math.Abs(h)
	}
	if s.equity >= 0x1p-1022 && gross <= 1e12*s.equity { // less is lost in rounding
		return true
	}
	// The lender bears the loss beyond the equity, so the parts are scaled to −1.
	lost := 0.0
	for _, c := range s.row.contributions {
		lost += c
	}
	e := oracleEvent{fill: s.row.date, decided: s.row.date, reason: backtest.ReasonRuin, before: map[string]float64{}, target: map[string]float64{}}
	for _, m := range s.market.members {
		s.row.contributions[m.key] /= -lost
		if before[m.key] != 0 {
			e.before[m.key] = s.hold[m.key] / previous
			e.turnover += math.Abs(e.before[m.key])
			s.out.sure, s.out.likely = s.out.sure+1, s.out.likely+1
		}
	}
	s.row.ret, s.row.ruined, s.row.traded = -1, true, e.turnover
	s.out.rows, s.out.events = append(s.out.rows, *s.row), append(s.out.events, e)
	s.warn(backtest.WarnRuin, "", s.row.date)
	return false
}

// sellForced turns members that are suspended or delisted on this session into cash.
func (s *oracleState) sellForced() {
	for _, m := range s.market.members {
		reason, kind := backtest.ReasonSuspended, backtest.WarnSuspended
		switch last := m.last(); {
		case m.delisted && last >= 0 && s.t == last+1:
			s.gone[m.key] = true
			reason, kind = backtest.ReasonDelisted, backtest.WarnDelisted
		case s.missed[m.key] == 11 && !s.gone[m.key]:
			s.suspended[m.key] = true
		default:
			continue
		}
		if s.hold[m.key] == 0 {
			continue
		}
		before := s.hold[m.key] / s.equity
		s.out.events = append(s.out.events, oracleEvent{
			fill: s.row.date, decided: s.row.date, reason: reason, turnover: math.Abs(before),
			before: map[string]float64{m.key: before}, target: map[string]float64{m.key: 0},
		})
		s.row.traded += math.Abs(before)
		s.cash += s.hold[m.key]
		s.hold[m.key] = 0
		s.out.sure, s.out.likely = s.out.sure+1, s.out.likely+1
		s.warn(kind, m.key, s.row.date)
	}
}

// fill trades to the target at this close.
func (s *oracleState) fill(target map[string]float64) {
	e := oracleEvent{
		fill: s.row.date, decided: s.out.decided[len(s.out.decided)-1], reason: backtest.ReasonSchedule,
		before: map[string]float64{}, target: map[string]float64{},
	}
	if s.base == timeseries.NoDate {
		s.base, e.reason = s.row.date, backtest.ReasonStart
	}
	invested := 0.0
	s.out.last = map[string]float64{}
	for _, m := range s.market.members {
		w, before := target[m.key], s.hold[m.key]/s.equity
		if w != 0 && (s.suspended[m.key] || s.gone[m.key]) {
			s.warn(backtest.WarnUntradable, m.key, s.row.date)
			w = 0
		}
		if w != 0 {
			s.out.last[m.key] = w
		}
		if w != 0 || before != 0 {
			e.before[m.key], e.target[m.key] = before, w
		}
		change := math.Abs(w - before)
		e.turnover += change
		if change > 1e-10 {
			s.out.sure++
		}
		if change > 1e-13 {
			s.out.likely++
		}
		s.hold[m.key] = w * s.equity
		invested += s.hold[m.key]
	}
	if len(e.before) == 0 {
		e.before[backtest.CashKey], e.target[backtest.CashKey] = 1, 1
	}
	s.cash = s.equity - invested
	s.row.traded += e.turnover
	s.out.fills++
	s.out.filled = true
	s.out.events = append(s.out.events, e)
}

func (s *oracleState) weights() map[string]float64 {
	weights := map[string]float64{}
	for _, m := range s.market.members {
		weights[m.key] = s.hold[m.key] / s.equity
	}
	return weights
}

// close stores the session's row.
func (s *oracleState) close() {
	s.row.equity, s.row.weights = s.equity, s.weights()
	for _, w := range s.row.weights {
		s.row.gross += math.Abs(w)
	}
	s.row.weights[backtest.CashKey] = s.cash / s.equity
	s.out.rows = append(s.out.rows, *s.row)
}

func (s *oracleState) warn(kind backtest.WarningKind, key string, day timeseries.Date) {
	for i := range s.out.warnings {
		if w := &s.out.warnings[i]; w.Kind == kind && w.Key == key {
			w.Last, w.Count = day, w.Count+1
			return
		}
	}
	s.out.warnings = append(s.out.warnings, backtest.Warning{Kind: kind, Key: key, Date: day, Last: day, Count: 1})
}

// countStale counts the sessions after the base on which a listed member has no bar.
func (s *oracleState) countStale() {
	s.out.stale = map[string]int{}
	for _, m := range s.market.members {
		first, end := m.first(), len(m.bars)
		if m.delisted && first >= 0 {
			end = m.last() + 1
		}
		for t := range end {
			if first >= 0 && t > first && !m.bars[t] && s.base != timeseries.NoDate && s.market.axis[t] > s.base {
				s.out.stale[m.key]++
				s.warn(backtest.WarnStale, m.key, s.market.axis[t])
			}
		}
	}
}

// oracleStarts reports whether the start rule is satisfied on session t.
func oracleStarts(m oracleMarket, spec backtest.Spec, t int) bool {
	have := 0
	for _, one := range m.members {
		if first := one.first(); first >= 0 && first <= t {
			have++
		}
	}
	need := map[backtest.Start]int{
		backtest.StartFirstMember: 1,
		backtest.StartTwoMembers:  min(2, len(m.members)),
		backtest.StartAllMembers:  len(m.members),
	}[spec.Start]
	return have >= need && m.axis[t] >= spec.StartDate
}

// oracleScheduled reports whether there is a planned decision day after the session
// before t and up to t.
func oracleScheduled(m oracleMarket, s backtest.Schedule, t int) bool {
	if s.Every == "daily" {
		return true
	}
	from := m.axis[t]
	if t > 0 {
		from = m.axis[t-1] + 1
	}
	for d := from; d <= m.axis[t]; d++ {
		if oraclePlanned(m.planned, s, d) {
			return true
		}
	}
	return false
}

// oraclePlanned reports whether d is the planned decision day of its period.
func oraclePlanned(planned func(timeseries.Date) bool, s backtest.Schedule, d timeseries.Date) bool {
	if s.Weekday != "" {
		return d.Time().Format("Mon") == map[string]string{
			"mon": "Mon", "tue": "Tue", "wed": "Wed", "thu": "Thu", "fri": "Fri", "sat": "Sat", "sun": "Sun"}[s.Weekday]
	}
	sessions := oraclePeriod(planned, s.Every, d)
	if len(sessions) == 0 {
		return false
	}
	i := s.Session - 1
	if s.Session < 0 {
		i = len(sessions) + s.Session
	}
	return sessions[min(max(i, 0), len(sessions)-1)] == d
}

// oraclePeriod lists the planned sessions of d's period, day by day.
func oraclePeriod(planned func(timeseries.Date) bool, every string, d timeseries.Date) []timeseries.Date {
	// begins reports whether a period starts on x.
	begins := func(x timeseries.Date) bool {
		y := x.Time()
		switch every {
		case "weekly":
			return y.Weekday() == time.Monday
		case "monthly":
			return y.Day() == 1
		case "quarterly":
			return y.Day() == 1 && (y.Month() == 1 || y.Month() == 4 || y.Month() == 7 || y.Month() == 10)
		}
		return y.YearDay() == 1
	}
	from, to := d, d
	for !begins(from) {
		from--
	}
	for !begins(to + 1) {
		to++
	}
	var sessions []timeseries.Date
	for x := from; x <= to; x++ {
		if planned(x) {
			sessions = append(sessions, x)
		}
	}
	return sessions
}
