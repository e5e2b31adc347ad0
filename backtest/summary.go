package backtest

import (
	"encoding/json"
	"fmt"
	"slices"

	"ballast/internal/number"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// Summary has the scalars of a result. Its JSON is in the schema metadata of the daily
// table, so that the table describes itself.
type Summary struct {
	Base        timeseries.Date `json:"base"`       // session of the first filled decision
	StartDate   timeseries.Date `json:"start_date"` // first session with a return; empty if there is none yet
	EndDate     timeseries.Date `json:"end_date"`   // last session
	Sessions    int             `json:"sessions"`   // number of sessions with a return
	Calendar    string          `json:"calendar"`
	BarsPerYear int             `json:"bars_per_year"`
	Fill        Fill            `json:"fill"`

	InitialCash       float64      `json:"initial_cash"`        // currency
	FinalValue        float64      `json:"final_value"`         // currency
	TradesTotal       int          `json:"trades_total"`        // changes of a member's weight, including the establishing and forced ones
	RebalanceDates    int          `json:"rebalance_dates"`     // sessions with a filled decision, including the base
	RebalancesPerYear number.Float `json:"rebalances_per_year"` // RebalanceDates over calendar days/365.25 from base to end; null without a return
	AnnualTurnover    number.Float `json:"annual_turnover"`     // half the traded notional per year, without the establishing trade; null without a return
	MaxGrossExposure  float64      `json:"max_gross_exposure"`  // highest at any close, including the base

	Decisions    Decisions       `json:"decisions"`
	LastDecision Decision        `json:"last_decision"`
	Stale        map[string]int  `json:"stale"`     // sessions without a bar since the base, by member; members without any are left out
	Ruined       bool            `json:"ruined"`    // equity fell to zero or below
	RuinDate     timeseries.Date `json:"ruin_date"` // empty if there was no ruin
	Warnings     []Warning       `json:"warnings"`

	TradeLog      Log `json:"trade_log"`      // rows of the ledger
	TargetHistory Log `json:"target_history"` // rows of filled decisions
}

// Log counts the rows of a log, and those that are kept, the newest.
type Log struct {
	Kept  int `json:"kept"`
	Total int `json:"total"`
}

// Decisions describes when decisions were taken. A return of None does not count as a
// decision; an empty target does.
type Decisions struct {
	Count   int            `json:"count"`
	PerYear number.Float   `json:"per_year"` // over calendar days/365.25 from base to end
	Weekday map[string]int `json:"weekday"`  // by mon … sun
	// PeriodPosition describes where in the week, month, quarter and year (W, M, Q, Y)
	// decisions fall: the median over all decisions, without the one on the start
	// session if there are others.
	PeriodPosition map[string]Position `json:"period_position"`
}

// Position is a position among the planned sessions of a period.
type Position struct {
	First number.Float `json:"first"` // counted from the first session, which is 1
	Last  number.Float `json:"last"`  // counted from the last session, which is −1
}

// Decision is the latest decision, which may not be filled yet.
type Decision struct {
	Date    timeseries.Date    `json:"date"`
	Filled  bool               `json:"filled"`
	Weights map[string]float64 `json:"weights"` // non-zero targets by member, without CASH
}

// EncodeSummary encodes s as JSON. The same summary gives the same bytes.
func EncodeSummary(s Summary) ([]byte, error) { return json.Marshal(s) }

// DecodeSummary decodes what EncodeSummary wrote.
func DecodeSummary(b []byte) (Summary, error) {
	var s Summary
	if err := json.Unmarshal(b, &s); err != nil {
		return Summary{}, fmt.Errorf("summary of a result: %w", err)
	}
	return s, nil
}

// result builds the result of a run that has a base.
func (e *engine) result(cal calendar.Calendar) *Result {
	axis := e.frame.Axis
	r := &Result{
		Keys:    make([]string, len(e.frame.Members)),
		Dates:   slices.Clone(axis[e.origin:]),
		Returns: e.rows.returns, Equity: e.rows.equity, Gross: e.rows.gross, Traded: e.rows.traded,
		Weights: e.rows.weights, CashWeight: e.rows.cashWeight,
		Contributions: e.rows.contributions, CashContribution: e.rows.cashContribution,
		Ledger: e.rows.ledger[newest(e.rows.ledger, e.rows.most):],
		Custom: e.rows.custom.from(e.origin),
		State:  e.state,
	}
	for i := range r.Keys {
		r.Keys[i] = e.frame.Members[i].Key
	}
	r.Summary = e.summary(r, cal)
	return r
}

func (e *engine) summary(r *Result, cal calendar.Calendar) Summary {
	axis, last := e.frame.Axis, len(r.Dates)-1
	s := Summary{
		Base: axis[e.base], StartDate: timeseries.NoDate, EndDate: r.Dates[last], Sessions: len(axis) - 1 - e.base,
		Calendar: e.frame.Calendar, BarsPerYear: e.frame.BarsPerYear, Fill: e.spec.Fill,
		InitialCash: e.spec.InitialCash, FinalValue: r.Equity[last],
		TradesTotal: e.tally.trades, RebalanceDates: e.tally.fills,
		RebalancesPerYear: number.NaN(), AnnualTurnover: number.NaN(),
		MaxGrossExposure: max(e.tally.gross, r.Gross[last]),
		Stale:            e.stale(),
		Ruined:           e.ruin >= 0, RuinDate: timeseries.NoDate,
	}
	s.TradeLog, s.TargetHistory = logs(r.Ledger, e.tally.logged, e.tally.asked)
	years := float64(s.EndDate-s.Base) / 365.25
	if s.Sessions > 0 {
		s.StartDate = axis[e.base+1]
		traded := e.turnoverTo(last)
		s.RebalancesPerYear = number.Float(float64(s.RebalanceDates) / years)
		s.AnnualTurnover = number.Float(traded / 2 / years)
	}
	if s.Ruined {
		s.RuinDate = axis[e.ruin]
	}
	s.Decisions = e.decisions(cal, years)
	s.LastDecision = e.lastDecision()
	s.Warnings = e.rows.warnings
	for i := range s.Warnings {
		s.Warnings[i].describe()
	}
	return s
}

// turnoverTo returns the notional traded after the base, up to a row.
func (e *engine) turnoverTo(row int) float64 {
	traded := e.tally.turnover
	for _, v := range e.rows.traded[1 : row+1] {
		traded += v
	}
	return traded
}

// stale counts the sessions since the base on which members have no bar, and adds a
// warning for each of these members.
func (e *engine) stale() map[string]int {
	counts := make(map[string]int)
	for _, g := range e.gaps {
		from := max(g.from, e.base+1)
		if from >= g.to {
			continue
		}
		key := e.frame.Members[g.member].Key
		counts[key] += g.to - from
		e.warn(WarnStale, g.member, from)
		for k := range e.rows.warnings {
			if w := &e.rows.warnings[k]; w.Kind == WarnStale && w.Key == key {
				w.Count, w.Last = counts[key], e.frame.Axis[g.to-1]
			}
		}
	}
	return counts
}

func (e *engine) lastDecision() Decision {
	d := Decision{
		Date:    e.frame.Axis[e.decided[len(e.decided)-1]],
		Filled:  e.filled == len(e.decided),
		Weights: make(map[string]float64, len(e.longs)+len(e.shorts)),
	}
	for i, w := range e.target {
		if w != 0 {
			d.Weights[e.frame.Members[i].Key] = w
		}
	}
	return d
}
