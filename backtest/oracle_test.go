package backtest_test

import (
	"math"

	"ballast/backtest"
	"ballast/backtest/calendar"
	"ballast/timeseries"
)

// oracleRow is one session of the oracle's run.
type oracleRow struct {
	date                       timeseries.Date
	ret, equity, gross, traded float64
	weights, contributions     map[string]float64 // weights with CASH
	reasons                    []backtest.Reason
	decided, ruined            bool
}

// oracle runs a backtest session by session from the definitions alone, with a
// map for holdings and no thought of speed. targets says what is decided on a
// session, nil for None. Rows begin with the base.
func oracle(f *timeseries.Frame, spec backtest.Spec, targets func(t int) map[string]float64) []oracleRow {
	var rows []oracleRow
	hold := map[string]float64{}
	cash, equity := spec.InitialCash, spec.InitialCash
	suspended, delisted, stale := map[string]bool{}, map[string]bool{}, map[string]int{}
	started, based := false, false
	var pending map[string]float64

	total := func() float64 {
		v := cash
		for _, h := range hold {
			v += h
		}
		return v
	}
	fill := func(row *oracleRow, target map[string]float64, reason backtest.Reason) {
		for i := range f.Members {
			key := f.Members[i].Key
			w := target[key]
			if suspended[key] || delisted[key] {
				w = 0
			}
			row.traded += math.Abs(w - hold[key]/equity)
			hold[key] = w * equity
		}
		cash = equity
		for _, h := range hold {
			cash -= h
		}
		row.reasons = append(row.reasons, reason)
	}
	for t, date := range f.Axis {
		row := oracleRow{date: date, contributions: map[string]float64{}}
		previous := equity
		for i := range f.Members {
			m := &f.Members[i]
			before := hold[m.Key]
			hold[m.Key] = before * (1 + m.Returns[t])
			row.contributions[m.Key] = (hold[m.Key] - before) / previous
			if m.First < 0 || t < m.First {
				continue
			}
			if m.HasBar(t) {
				stale[m.Key], suspended[m.Key] = 0, false
			} else {
				stale[m.Key]++
			}
		}
		equity = total()
		row.ret = equity/previous - 1
		if equity <= 0 {
			// What follows ruin is nothing: the caller knows it by the flag.
			sum := 0.0
			for _, c := range row.contributions {
				sum += c
			}
			for k := range row.contributions {
				row.contributions[k] /= -sum
			}
			row.ret, row.equity, row.ruined = -1, 0, true
			return append(rows, row)
		}
		for i := range f.Members {
			m := &f.Members[i]
			forced := backtest.Reason("")
			switch {
			case m.Delisted && t == m.Last+1:
				delisted[m.Key], forced = true, backtest.ReasonDelisted
			case stale[m.Key] == 11 && !delisted[m.Key]:
				suspended[m.Key], forced = true, backtest.ReasonSuspended
			}
			if forced != "" && hold[m.Key] != 0 {
				row.traded += math.Abs(hold[m.Key] / equity)
				cash += hold[m.Key]
				hold[m.Key] = 0
				row.reasons = append(row.reasons, forced)
			}
		}
		if pending != nil {
			reason := backtest.ReasonSchedule
			if !based {
				reason = backtest.ReasonStart
			}
			fill(&row, pending, reason)
			based, pending = true, nil
		}
		starts := !started && oracleStarts(f, spec, t)
		started = started || starts
		if started && (starts || oracleScheduled(f, spec.Schedule, t)) {
			if target := targets(t); target != nil {
				row.decided = true
				if spec.Fill == backtest.FillClose {
					reason := backtest.ReasonSchedule
					if !based {
						reason = backtest.ReasonStart
					}
					fill(&row, target, reason)
					based = true
				} else {
					pending = target
				}
			}
		}
		if !based {
			continue
		}
		row.equity = equity
		row.weights = map[string]float64{backtest.CashKey: cash / equity}
		for k, h := range hold {
			row.weights[k] = h / equity
			row.gross += math.Abs(h) / equity
		}
		rows = append(rows, row)
	}
	return rows
}

// oracleStarts reports whether the start rule holds on session t.
func oracleStarts(f *timeseries.Frame, spec backtest.Spec, t int) bool {
	have := 0
	for i := range f.Members {
		if first := f.Members[i].First; first >= 0 && first <= t {
			have++
		}
	}
	need := map[backtest.Start]int{
		backtest.StartFirstMember: 1,
		backtest.StartTwoMembers:  min(2, len(f.Members)),
		backtest.StartAllMembers:  len(f.Members),
	}[spec.Start]
	return have >= need && f.Axis[t] >= spec.StartDate
}

// oracleScheduled reports whether a planned decision day lies after the session
// before t and not after t.
func oracleScheduled(f *timeseries.Frame, s backtest.Schedule, t int) bool {
	if s.Every == "daily" {
		return true
	}
	if t == 0 {
		return oraclePlanned(f.Calendar, s, f.Axis[0])
	}
	for d := f.Axis[t-1] + 1; d <= f.Axis[t]; d++ {
		if oraclePlanned(f.Calendar, s, d) {
			return true
		}
	}
	return false
}

// oraclePlanned reports whether d is the planned decision day of its period,
// by listing the sessions of the period day by day.
func oraclePlanned(name string, s backtest.Schedule, d timeseries.Date) bool {
	if s.Weekday != "" {
		return d.Time().Format("Mon") == map[string]string{
			"mon": "Mon", "tue": "Tue", "wed": "Wed", "thu": "Thu", "fri": "Fri", "sat": "Sat", "sun": "Sun"}[s.Weekday]
	}
	same := func(x timeseries.Date) bool {
		a, b := d.Time(), x.Time()
		switch s.Every {
		case "weekly":
			ya, wa := a.ISOWeek()
			yb, wb := b.ISOWeek()
			return ya == yb && wa == wb
		case "monthly":
			return a.Format("2006-01") == b.Format("2006-01")
		case "quarterly":
			return a.Year() == b.Year() && (a.Month()-1)/3 == (b.Month()-1)/3
		}
		return a.Year() == b.Year()
	}
	cal, _ := calendar.Named(name)
	var sessions []timeseries.Date
	for x := d - 366; x <= d+366; x++ {
		if same(x) && calendar.IsSession(cal, x) {
			sessions = append(sessions, x)
		}
	}
	if len(sessions) == 0 {
		return false
	}
	i := s.Session - 1
	if s.Session < 0 {
		i = len(sessions) + s.Session
	}
	return sessions[min(max(i, 0), len(sessions)-1)] == d
}
