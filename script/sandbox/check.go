package sandbox

import (
	"math"
	"slices"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

const (
	maxCustom     = 1 << 12 // custom series
	maxCustomName = 256     // bytes
)

// checkShape checks the shape against the frame and the earlier result, so that
// computed sizes cannot overflow.
func checkShape(s *shape, f *timeseries.Frame, earlier *backtest.Result) error {
	least := 1 // the first trade
	if earlier != nil {
		least = 0
		if s.Rows != len(f.Axis)-earlier.State.Session {
			return damaged("%d rows from session %d of %d on", s.Rows, earlier.State.Session, len(f.Axis))
		}
	}
	switch {
	case s.Rows < 1 || s.Rows > len(f.Axis):
		return damaged("%d rows of %d sessions", s.Rows, len(f.Axis))
	case s.Events < least || s.Trades < s.Events || s.Trades > maxBody:
		return damaged("%d events with %d trades", s.Events, s.Trades)
	case len(s.Custom) > maxCustom:
		return damaged("%d custom series", len(s.Custom))
	}
	for _, list := range [][]int{s.Weights, s.Contributions} {
		for k, i := range list {
			if i < 0 || i >= len(f.Members) || k > 0 && i <= list[k-1] {
				return damaged("column of member %d of %d", i, len(f.Members))
			}
		}
	}
	for k, name := range s.Custom {
		if name == "" || len(name) > maxCustomName || k > 0 && name <= s.Custom[k-1] {
			return damaged("custom series %q", clip(name, maxCustomName))
		}
	}
	return nil
}

// The limits of a log. They are above the interpreter's, because replacing bytes
// that are not valid UTF-8 makes a log longer.
const (
	maxLogLines = 2000
	maxLogBytes = 512 << 10
)

func checkLog(lines []string) error {
	bytes := 0
	for _, line := range lines {
		bytes += len(line)
	}
	if len(lines) > maxLogLines || bytes > maxLogBytes {
		return damaged("a log of %d lines and %d bytes", len(lines), bytes)
	}
	return nil
}

var failureTypes = []script.RunErrorType{script.ScriptError, script.MemoryLimit, script.TimeLimit, script.StepLimit, script.DataError, script.InternalError}

func checkFailure(e *failure, f *timeseries.Frame) error {
	if !slices.Contains(failureTypes, e.Type) || e.Line < 0 {
		return damaged("failure of type %q on line %d", clip(string(e.Type), 32), e.Line)
	}
	if len(e.Message) > 4*maxMessage || len(e.Traceback) > 4*maxTraceback {
		return damaged("a failure of %d bytes", len(e.Message)+len(e.Traceback))
	}
	if e.Date != "" {
		date, err := timeseries.ParseDate(e.Date)
		if err != nil || !onAxis(f.Axis, date) {
			return damaged("failure on %q", clip(e.Date, 32))
		}
	}
	return nil
}

// checkResult checks the numbers of a result against each other and the frame.
func checkResult(r *backtest.Result, f *timeseries.Frame) error {
	for _, c := range []struct {
		name   string
		column []float64
		least  float64
	}{
		{"return", r.Returns, -1}, {"equity", r.Equity, 0}, {"gross_exposure", r.Gross, 0}, {"traded", r.Traded, 0},
		{"cash weight", r.CashWeight, -math.MaxFloat64}, {"cash contribution", r.CashContribution, -math.MaxFloat64},
	} {
		if !within(c.column, c.least) {
			return damaged("column %s has a value out of range", c.name)
		}
	}
	for i := range f.Members {
		if !within(r.Weights[i], -math.MaxFloat64) || !within(r.Contributions[i], -math.MaxFloat64) {
			return damaged("a column of %s has a value that is not finite", f.Members[i].Key)
		}
		if c := r.Contributions[i]; c != nil && c[0] != 0 {
			return damaged("a contribution of %s on the base", f.Members[i].Key)
		}
	}
	if r.CashContribution[0] != 0 || r.Returns[0] != 0 {
		return damaged("a return on the base")
	}
	for _, c := range r.Custom {
		for _, v := range c.Values {
			if math.IsInf(v, 0) {
				return damaged("custom series %q has an infinite value", c.Name)
			}
		}
	}
	if err := checkEquity(r.Returns, r.Equity); err != nil {
		return err
	}
	if err := checkLedger(r, f); err != nil {
		return err
	}
	return checkSummary(r, f)
}

// within reports whether all values are finite and at least least.
func within(values []float64, least float64) bool {
	for _, v := range values {
		if !(v >= least && v <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// checkEquity checks each return against the equities before and after it.
func checkEquity(returns, equity []float64) error {
	const tolerance = 1e-9
	if !(equity[0] > 0) {
		return damaged("equity %v on the base", equity[0])
	}
	for t := 1; t < len(returns); t++ {
		grown := equity[t-1] + equity[t-1]*returns[t]
		if !(math.Abs(grown-equity[t]) <= tolerance*(equity[t-1]+equity[t])) {
			return damaged("return %v in row %d from equity %v to %v", returns[t], t, equity[t-1], equity[t])
		}
	}
	return nil
}

func checkLedger(r *backtest.Result, f *timeseries.Frame) error {
	previous := r.Dates[0]
	for i := range r.Ledger {
		e := &r.Ledger[i]
		if !onAxis(r.Dates, e.Fill) || !onAxis(f.Axis, e.Decided) || e.Decided > e.Fill || e.Fill < previous {
			return damaged("event %d filled on %d, decided on %d", i, e.Fill, e.Decided)
		}
		previous = e.Fill
		if !(e.Turnover >= 0 && e.Turnover <= math.MaxFloat64) {
			return damaged("event %d has a turnover of %v", i, e.Turnover)
		}
		for _, t := range e.Trades {
			if !(math.Abs(t.Before) <= math.MaxFloat64 && math.Abs(t.Target) <= math.MaxFloat64) {
				return damaged("event %d has a trade that is not finite", i)
			}
		}
	}
	return nil
}

// checkState checks the state at the end of a run against its result.
func checkState(r *backtest.Result, f *timeseries.Frame, steps uint64) error {
	s := r.State
	if s == nil {
		return nil
	}
	if err := s.Check(f); err != nil {
		return damaged("state: %v", err)
	}
	row := s.Session - s.Base
	told := &r.Summary
	switch {
	case f.Axis[s.Base] != r.Dates[0], s.Past != "":
		return damaged("a state with base %d", s.Base)
	case s.Equity != r.Equity[row], s.Gross != r.Gross[row], s.MaxGross > told.MaxGrossExposure:
		return damaged("a state with equity %v and exposure %v", s.Equity, s.Gross)
	case s.Trades > told.TradesTotal, s.Fills > told.RebalanceDates, s.LedgerRows > told.TradeLog.Total, s.TargetRows > told.TargetHistory.Total:
		return damaged("a state with %d trades on %d dates", s.Trades, s.Fills)
	case s.Steps > steps:
		return damaged("a state after %d of %d steps", s.Steps, steps)
	}
	for _, i := range s.Weights {
		if r.Weights[i] == nil {
			return damaged("a state with a column of %s", f.Members[i].Key)
		}
	}
	for _, i := range s.Contributions {
		if r.Contributions[i] == nil {
			return damaged("a state with a column of %s", f.Members[i].Key)
		}
	}
	for _, name := range s.Custom {
		if !slices.ContainsFunc(r.Custom, func(c backtest.Custom) bool { return c.Name == name }) {
			return damaged("a state with series %q", clip(name, maxCustomName))
		}
	}
	if len(s.Warnings) > len(told.Warnings) {
		return damaged("a state with %d warnings", len(s.Warnings))
	}
	for i := range s.Warnings {
		w, final := &s.Warnings[i], &told.Warnings[i]
		if w.Kind != final.Kind || w.Key != final.Key || w.Date != final.Date || w.Count > final.Count || w.Message != "" {
			return damaged("a state with a warning about %q", clip(w.Key, 32))
		}
	}
	return nil
}

// onAxis reports whether date is on the axis.
func onAxis(axis []timeseries.Date, date timeseries.Date) bool {
	_, found := slices.BinarySearch(axis, date)
	return found
}

// checkSummary checks the summary against the rows.
func checkSummary(r *backtest.Result, f *timeseries.Frame) error {
	s, last := &r.Summary, len(r.Dates)-1
	start := timeseries.NoDate
	if last > 0 {
		start = r.Dates[1]
	}
	switch {
	case s.Base != r.Dates[0], s.StartDate != start, s.EndDate != r.Dates[last], s.Sessions != last:
		return damaged("summary of %s to %s with %d sessions", s.Base, s.EndDate, s.Sessions)
	case s.Calendar != f.Calendar, s.BarsPerYear != f.BarsPerYear:
		return damaged("summary of calendar %q", clip(s.Calendar, 32))
	case s.Fill != backtest.FillClose && s.Fill != backtest.FillNextClose:
		return damaged("summary with fill %q", clip(string(s.Fill), 32))
	case s.FinalValue != r.Equity[last], !(s.InitialCash > 0):
		return damaged("summary from %v to %v", s.InitialCash, s.FinalValue)
	case s.TradesTotal < 0, s.RebalanceDates < 1, s.Decisions.Count < s.RebalanceDates, !(s.MaxGrossExposure >= 0):
		return damaged("summary with %d trades on %d dates", s.TradesTotal, s.RebalanceDates)
	case s.TradeLog.Total < s.TradeLog.Kept, s.TargetHistory.Total < s.TargetHistory.Kept:
		return damaged("summary with %d of %d rows", s.TradeLog.Kept, s.TradeLog.Total)
	case !onAxis(f.Axis, s.LastDecision.Date):
		return damaged("a last decision on no session")
	case s.Ruined != onAxis(r.Dates, s.RuinDate):
		return damaged("a ruin on no session")
	}
	member := func(key string) bool { return slices.Contains(r.Keys, key) }
	for key := range s.Stale {
		if !member(key) {
			return damaged("stale sessions of %q", clip(key, 32))
		}
	}
	for key := range s.LastDecision.Weights {
		if !member(key) {
			return damaged("a last decision on %q", clip(key, 32))
		}
	}
	for i := range s.Warnings {
		if key := s.Warnings[i].Key; key != "" && !member(key) {
			return damaged("a warning about %q", clip(key, 32))
		}
	}
	return nil
}
