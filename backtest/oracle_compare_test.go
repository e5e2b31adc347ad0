package backtest_test

import (
	"math"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/backtest"
	"ballast/timeseries"
)

// fataler has the methods that rapid's and testing's T share.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// comparison compares a result with the oracle's.
type comparison struct {
	fataler
	got  *backtest.Result
	want oracleResult
	// condition is the factor by which rounding errors grow: close to ruin equity is a
	// small difference of large holdings, and both sides lose the digits that cancel.
	condition float64
}

// sameAsOracle compares everything in a result with the oracle.
func sameAsOracle(t fataler, got *backtest.Result, want oracleResult) {
	t.Helper()
	c := comparison{fataler: t, got: got, want: want, condition: 1}
	for _, row := range want.rows {
		c.condition = max(c.condition, row.gross*row.gross/256)
	}
	ruined := want.rows[len(want.rows)-1].ruined
	if got.Dates[0] != want.rows[0].date || got.Summary.Ruined != ruined || !ruined && len(got.Dates) != len(want.rows) {
		t.Fatalf("base %s and %d rows, ruined %v; want %s and %d, %v",
			got.Dates[0], len(got.Dates), got.Summary.Ruined, want.rows[0].date, len(want.rows), ruined)
	}
	for k := range want.rows {
		c.row(k)
	}
	for k := len(want.rows); k < len(got.Dates); k++ {
		if got.Returns[k] != 0 || got.Equity[k] != 0 || got.Gross[k] != 0 || got.Traded[k] != 0 || got.CashWeight[k] != 1 {
			t.Fatalf("%s: something happens after ruin", got.Dates[k])
		}
	}
	c.ledger()
	c.summary()
}

// near compares a number of a day, and of a member if it belongs to one.
func (c *comparison) near(day timeseries.Date, what, key string, got, want, scale float64) {
	if !(math.Abs(got-want) <= 1e-12*c.condition*max(1, math.Abs(scale))) {
		c.Helper()
		c.Fatalf("%s: %s%s = %.17g, want %.17g", day, what, key, got, want)
	}
}

func weightOf(columns [][]float64, i, t int) float64 {
	if columns[i] == nil {
		return 0
	}
	return columns[i][t]
}

func (c *comparison) row(k int) {
	c.Helper()
	r, w := c.got, c.want.rows[k]
	c.near(w.date, "equity", "", r.Equity[k], w.equity, w.equity)
	if k > 0 {
		c.near(w.date, "return", "", r.Returns[k], w.ret, w.ret*max(1, w.gross))
		total := r.CashContribution[k]
		for i, key := range r.Keys {
			part := weightOf(r.Contributions, i, k)
			total += part
			c.near(w.date, "contribution of ", key, part, w.contributions[key], part)
		}
		c.near(w.date, "sum of contributions", "", total, r.Returns[k], 10)
	}
	if w.ruined {
		c.near(w.date, "traded", "", r.Traded[k], w.traded, w.traded)
		return
	}
	c.near(w.date, "gross exposure", "", r.Gross[k], w.gross, w.gross)
	c.near(w.date, "traded", "", r.Traded[k], w.traded, w.traded+w.gross)
	sum := r.CashWeight[k]
	c.near(w.date, "weight of CASH", "", r.CashWeight[k], w.weights[backtest.CashKey], w.gross)
	for i, key := range r.Keys {
		sum += weightOf(r.Weights, i, k)
		c.near(w.date, "weight of ", key, weightOf(r.Weights, i, k), w.weights[key], w.gross)
	}
	c.near(w.date, "sum of weights", "", sum, 1, w.gross)
}

// ledger compares the events and their trades, in order.
func (c *comparison) ledger() {
	c.Helper()
	if len(c.got.Ledger) != len(c.want.events) {
		c.Fatalf("%d events, want %d", len(c.got.Ledger), len(c.want.events))
	}
	traded := map[timeseries.Date]float64{}
	for n, e := range c.got.Ledger {
		w := c.want.events[n]
		if e.Fill != w.fill || e.Decided != w.decided || e.Reason != w.reason || len(e.Trades) != len(w.before) {
			c.Fatalf("event %d: %s decided %s %s with %d trades, want %s, %s, %s, %d",
				n, e.Fill, e.Decided, e.Reason, len(e.Trades), w.fill, w.decided, w.reason, len(w.before))
		}
		turnover, last := 0.0, -2
		for _, one := range e.Trades {
			key := backtest.CashKey
			if one.Member != backtest.CashMember {
				key = c.got.Keys[one.Member]
			}
			if one.Member <= last {
				c.Fatalf("%s %s: %s is out of order", e.Fill, e.Reason, key)
			}
			last = one.Member
			c.near(e.Fill, "before of ", key, one.Before, w.before[key], w.turnover)
			c.near(e.Fill, "target of ", key, one.Target, w.target[key], w.turnover)
			turnover += one.Traded()
		}
		c.near(e.Fill, "turnover", "", e.Turnover, w.turnover, w.turnover)
		c.near(e.Fill, "sum of trades", "", turnover, e.Turnover, w.turnover)
		traded[e.Fill] += e.Turnover
	}
	for k, d := range c.got.Dates {
		c.near(d, "sum of turnovers", "", traded[d], c.got.Traded[k], c.got.Traded[k])
	}
}

// summary compares the scalars with values computed from the oracle's rows.
func (c *comparison) summary() {
	c.Helper()
	s, rows := c.got.Summary, c.want.rows
	same := func(what string, got, want any) {
		c.Helper()
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(1e-12, 0)); diff != "" {
			c.Fatalf("%s (-want +got):\n%s", what, diff)
		}
	}
	end := c.got.Dates[len(c.got.Dates)-1]
	years := float64(end-rows[0].date) / 365.25
	same("base", s.Base, rows[0].date)
	same("end", s.EndDate, end)
	same("sessions", s.Sessions, len(c.got.Dates)-1)
	same("sessions with a filled decision", s.RebalanceDates, c.want.fills)
	if c.condition == 1 && (s.TradesTotal < c.want.sure || s.TradesTotal > c.want.likely) {
		c.Fatalf("%d trades, want %d to %d", s.TradesTotal, c.want.sure, c.want.likely)
	}
	traded, gross := 0.0, 0.0
	for k, w := range rows {
		gross = max(gross, w.gross)
		if k > 0 {
			traded += w.traded
		}
	}
	c.near(end, "highest exposure", "", s.MaxGrossExposure, gross, gross)
	if years > 0 {
		c.near(end, "turnover a year", "", float64(s.AnnualTurnover), traded/2/years, (traded+gross)/years)
		c.near(end, "fills a year", "", float64(s.RebalancesPerYear), float64(c.want.fills)/years, float64(c.want.fills)/years)
		c.near(end, "decisions a year", "", float64(s.Decisions.PerYear), float64(len(c.want.decided))/years, float64(len(c.want.decided))/years)
	} else if !math.IsNaN(float64(s.AnnualTurnover)) || !math.IsNaN(float64(s.RebalancesPerYear)) {
		c.Fatalf("turnover %v and %v fills a year without a return", s.AnnualTurnover, s.RebalancesPerYear)
	}
	weekdays := map[string]int{}
	for _, d := range c.want.decided {
		weekdays[[]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}[d.Weekday()]]++
	}
	same("decisions", s.Decisions.Count, len(c.want.decided))
	same("decisions by weekday", s.Decisions.Weekday, weekdays)
	same("members without bars", s.Stale, c.want.stale)
	last := s.LastDecision
	same("last decision on", last.Date, c.want.decided[len(c.want.decided)-1])
	same("last decision filled", last.Filled, c.want.filled)
	weights := map[string]float64{}
	for key, w := range c.want.last {
		if w != 0 {
			weights[key] = w
		}
	}
	same("last decision", last.Weights, weights)
	warnings := slices.Clone(s.Warnings)
	for i := range warnings {
		if warnings[i].Message == "" {
			c.Fatalf("the warning %+v has no message", warnings[i])
		}
		warnings[i].Message = ""
	}
	same("warnings", warnings, c.want.warnings)
}

// samePositions compares the positions of decisions in their periods with a simple
// count.
func samePositions(t fataler, s backtest.Summary, decided []timeseries.Date, planned func(timeseries.Date) bool) {
	t.Helper()
	if len(decided) > 1 {
		decided = decided[1:]
	}
	for code, every := range map[string]string{"W": "weekly", "M": "monthly", "Q": "quarterly", "Y": "yearly"} {
		var first, last []int
		for _, d := range decided {
			sessions := oraclePeriod(planned, every, d)
			by := timeseries.Through(sessions, d)
			first, last = append(first, by), append(last, by-len(sessions)-1)
		}
		slices.Sort(first)
		slices.Sort(last)
		middle := func(all []int) float64 { return float64(all[(len(all)-1)/2]+all[len(all)/2]) / 2 }
		got := s.Decisions.PeriodPosition[code]
		if float64(got.First) != middle(first) || float64(got.Last) != middle(last) {
			t.Fatalf("decisions fall on %v and %v of %s, want %v and %v", got.First, got.Last, code, middle(first), middle(last))
		}
	}
}

// sameUpTo compares a run on bars that end at row at of the whole run with the rows of
// that run, bit for bit.
func sameUpTo(t fataler, whole, part *backtest.Result, at int) {
	t.Helper()
	n := at + 1
	head := func(columns [][]float64) [][]float64 {
		cut := make([][]float64, len(columns))
		for i, c := range columns {
			cut[i] = make([]float64, n)
			copy(cut[i], c[:min(n, len(c))])
		}
		return cut
	}
	want, got := *whole, *part
	want.Dates, want.Returns, want.Equity, want.Gross, want.Traded = want.Dates[:n], want.Returns[:n], want.Equity[:n], want.Gross[:n], want.Traded[:n]
	want.CashWeight, want.CashContribution = want.CashWeight[:n], want.CashContribution[:n]
	want.Weights, want.Contributions = head(want.Weights), head(want.Contributions)
	got.Weights, got.Contributions = head(got.Weights), head(got.Contributions)
	want.Ledger = slices.DeleteFunc(slices.Clone(want.Ledger), func(e backtest.Event) bool { return e.Fill > whole.Dates[at] })
	want.Custom, got.Custom = recorded(whole.Custom, n), recorded(part.Custom, n)
	if sameBits(&want, &got) {
		return
	}
	if diff := rowDifference(&want, &got); diff != "" {
		t.Fatalf("cut at %s (-whole +cut):\n%s", whole.Dates[at], diff)
	}
	t.Fatalf("cut at %s: a zero or NaN has another sign", whole.Dates[at])
}

// rowDifference compares everything except the summary and the state.
func rowDifference(want, got *backtest.Result) string {
	return cmp.Diff(want, got, ignoring("Summary", "State"), cmpopts.EquateNaNs(), cmpopts.EquateEmpty())
}

// ignoring excludes fields from a comparison.
func ignoring(fields ...string) cmp.Option {
	return cmp.FilterPath(func(p cmp.Path) bool { return slices.Contains(fields, p.String()) }, cmp.Ignore())
}

// recorded leaves out the series that have no value in the first n rows.
func recorded(all []backtest.Custom, n int) []backtest.Custom {
	var some []backtest.Custom
	for _, c := range all {
		if slices.ContainsFunc(c.Values[:n], func(v float64) bool { return !math.IsNaN(v) }) {
			some = append(some, backtest.Custom{Name: c.Name, Values: c.Values[:n]})
		}
	}
	return some
}

func sameBits(a, b *backtest.Result) bool {
	same := func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
	}
	columns := func(x, y [][]float64) bool { return slices.EqualFunc(x, y, same) }
	trade := func(x, y backtest.Trade) bool { return x == y }
	return slices.Equal(a.Keys, b.Keys) && slices.Equal(a.Dates, b.Dates) &&
		same(a.Returns, b.Returns) && same(a.Equity, b.Equity) && same(a.Gross, b.Gross) && same(a.Traded, b.Traded) &&
		same(a.CashWeight, b.CashWeight) && same(a.CashContribution, b.CashContribution) &&
		columns(a.Weights, b.Weights) && columns(a.Contributions, b.Contributions) &&
		slices.EqualFunc(a.Custom, b.Custom, func(x, y backtest.Custom) bool { return x.Name == y.Name && same(x.Values, y.Values) }) &&
		slices.EqualFunc(a.Ledger, b.Ledger, func(x, y backtest.Event) bool {
			return x.Fill == y.Fill && x.Decided == y.Decided && x.Reason == y.Reason && x.Turnover == y.Turnover && slices.EqualFunc(x.Trades, y.Trades, trade)
		})
}
