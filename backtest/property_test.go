package backtest_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/backtest/calendar"
	"ballast/timeseries"
)

// universe is a random frame with a random plan of targets.
type universe struct {
	frame   *timeseries.Frame
	spec    backtest.Spec
	targets []map[string]float64 // by session, nil for None
}

// drawUniverse makes members with ragged starts, holes short and long, and
// delistings, on planned sessions with some days missing for everybody.
func drawUniverse(t *rapid.T) universe {
	name := rapid.SampledFrom([]string{calendar.NameXNYS, calendar.NameXNYS, calendar.NameAllDays}).Draw(t, "calendar")
	cal, _ := calendar.Named(name)
	first := cal.Count(timeseries.NewDate(rapid.IntRange(1990, 2030).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), 10))
	var days []timeseries.Date
	for i := range rapid.IntRange(2, 150).Draw(t, "days") {
		if rapid.IntRange(0, 19).Draw(t, "open") > 0 {
			days = append(days, cal.Session(first+i))
		}
	}
	if len(days) == 0 {
		days = append(days, cal.Session(first))
	}
	sources := make([]timeseries.Source, rapid.IntRange(1, 6).Draw(t, "members"))
	wild := rapid.Bool().Draw(t, "wild")
	for i := range sources {
		s := timeseries.Series{Base: timeseries.NoDate}
		begin := rapid.IntRange(0, len(days)-1).Draw(t, "begin")
		if rapid.Bool().Draw(t, "early") {
			begin = 0
		}
		end := len(days)
		if rapid.IntRange(0, 2).Draw(t, "ends") == 0 {
			end = rapid.IntRange(begin+1, len(days)).Draw(t, "end")
		}
		for k := begin; k < end; k++ {
			if k > begin && rapid.IntRange(0, 14).Draw(t, "hole") == 0 {
				k += rapid.IntRange(0, 14).Draw(t, "long")
				continue
			}
			if s.Empty() {
				s.Base = days[k]
				continue
			}
			r := float64(rapid.IntRange(-50, 52).Draw(t, "r")) / 1000
			if wild {
				r *= 10
			}
			s.Dates = append(s.Dates, days[k])
			s.Returns = append(s.Returns, r)
		}
		sources[i] = timeseries.Source{
			Key: fmt.Sprintf("M%d", i), Series: s, SevenDay: name == calendar.NameAllDays,
			Delisted: rapid.IntRange(0, 2).Draw(t, "delisted") == 0,
		}
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	u := universe{frame: f, targets: make([]map[string]float64, len(f.Axis))}
	u.spec = backtest.Spec{
		Schedule: rapid.SampledFrom([]backtest.Schedule{
			{Every: "daily"}, {Every: "weekly", Session: -1}, {Every: "monthly", Session: -1}, {Every: "quarterly", Session: -1},
			{Every: "yearly", Session: -1}, {Every: "weekly", Session: 1}, {Every: "weekly", Session: 5}, {Every: "weekly", Session: -5},
			{Every: "monthly", Session: 3}, {Every: "monthly", Session: -22}, {Every: "monthly", Session: 23},
			{Every: "weekly", Weekday: "mon"}, {Every: "weekly", Weekday: "wed"}, {Every: "weekly", Weekday: "fri"}, {Every: "weekly", Weekday: "sun"},
		}).Draw(t, "schedule"),
		Fill:        rapid.SampledFrom([]backtest.Fill{backtest.FillClose, backtest.FillNextClose}).Draw(t, "fill"),
		Start:       rapid.SampledFrom([]backtest.Start{backtest.StartFirstMember, backtest.StartTwoMembers, backtest.StartAllMembers}).Draw(t, "start"),
		StartDate:   timeseries.NoDate,
		InitialCash: 10000,
	}
	if rapid.IntRange(0, 3).Draw(t, "dated") == 0 {
		u.spec.StartDate = f.Axis[rapid.IntRange(0, len(f.Axis)-1).Draw(t, "start date")] - 1
	}
	for k := range u.targets {
		if rapid.IntRange(0, 5).Draw(t, "none") == 0 {
			continue
		}
		u.targets[k] = map[string]float64{}
		for i := range f.Members {
			if m := &f.Members[i]; m.First >= 0 && m.First <= k && rapid.Bool().Draw(t, "held") {
				u.targets[k][m.Key] = float64(rapid.IntRange(-8, 16).Draw(t, "w")) / 10
			}
		}
	}
	return u
}

func (u universe) decider() backtest.Decider {
	return backtest.DeciderFunc(func(s *backtest.Session, target []float64) (bool, error) {
		s.Record("wealth", s.Equity)
		for i := range target {
			target[i] = u.targets[s.T][s.Frame.Members[i].Key]
		}
		return u.targets[s.T] != nil, nil
	})
}

func (u universe) run(f *timeseries.Frame) (*backtest.Result, error) {
	return backtest.Run(context.Background(), f, u.spec, u.decider(), backtest.Everything)
}

func weightOf(columns [][]float64, i, t int) float64 {
	if columns[i] == nil {
		return 0
	}
	return columns[i][t]
}

func close12(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(scale)) }

func TestEngineEqualsOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := drawUniverse(t)
		want := oracle(u.frame, u.spec, func(k int) map[string]float64 { return u.targets[k] })
		r, err := u.run(u.frame)
		if len(want) == 0 {
			if err == nil {
				t.Fatalf("a result from %s where nothing was filled", r.Dates[0])
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		ruin := want[len(want)-1].ruined
		if r.Dates[0] != want[0].date || r.Summary.Ruined != ruin || !ruin && len(r.Dates) != len(want) {
			t.Fatalf("base %s and %d rows, ruined %v; want %s and %d, %v", r.Dates[0], len(r.Dates), r.Summary.Ruined, want[0].date, len(want), ruin)
		}
		events := map[timeseries.Date][]backtest.Reason{}
		turnover := map[timeseries.Date]float64{}
		for _, e := range r.Ledger {
			events[e.Fill] = append(events[e.Fill], e.Reason)
			turnover[e.Fill] += e.Turnover
		}
		// Close to ruin equity is a small difference of large holdings, and both
		// sides lose the digits that it cancels, for good.
		condition := 1.0
		for k, w := range want {
			condition = max(condition, w.gross*w.gross/256)
			same := func(what string, got, want, scale float64) {
				if !close12(got, want, condition*max(1, scale)) {
					t.Fatalf("%s: %s = %.17g, want %.17g", w.date, what, got, want)
				}
			}
			same("equity", r.Equity[k], w.equity, w.equity)
			if k > 0 {
				same("return", r.Returns[k], w.ret, w.ret*max(1, w.gross))
				total := 0.0
				for i, key := range r.Keys {
					c := weightOf(r.Contributions, i, k)
					total += c
					same("contribution of "+key, c, w.contributions[key], c)
				}
				same("sum of contributions", total, r.Returns[k], 10)
			}
			if w.ruined {
				break
			}
			same("gross exposure", r.Gross[k], w.gross, w.gross)
			same("traded", r.Traded[k], w.traded, w.traded+w.gross)
			same("turnover of the events", turnover[w.date], r.Traded[k], w.traded+w.gross)
			sum := r.CashWeight[k]
			same("weight of CASH", r.CashWeight[k], w.weights[backtest.CashKey], w.gross)
			for i, key := range r.Keys {
				sum += weightOf(r.Weights, i, k)
				same("weight of "+key, weightOf(r.Weights, i, k), w.weights[key], w.gross)
			}
			same("sum of weights", sum, 1, w.gross)
			if !slices.Equal(events[w.date], w.reasons) {
				t.Fatalf("%s: events %v, want %v", w.date, events[w.date], w.reasons)
			}
		}
		for k := len(want); k < len(r.Dates); k++ {
			if r.Returns[k] != 0 || r.Equity[k] != 0 || r.CashWeight[k] != 1 || len(events[r.Dates[k]]) > 0 {
				t.Fatalf("%s: something happens after ruin", r.Dates[k])
			}
		}
	})
}

func TestCuttingTheFutureChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := drawUniverse(t)
		whole, err := u.run(u.frame)
		if err != nil {
			return
		}
		at := rapid.IntRange(0, len(whole.Dates)-1).Draw(t, "cut")
		part, err := u.run(u.frame.Cut(whole.Dates[at]))
		if u.spec.Start == backtest.StartAllMembers && err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatalf("cut at %s: %v", whole.Dates[at], err)
		}
		n := at + 1
		head := func(columns [][]float64) [][]float64 {
			cut := make([][]float64, len(columns))
			for i, c := range columns {
				cut[i] = make([]float64, n)
				copy(cut[i], c[:min(n, len(c))])
			}
			return cut
		}
		ledger := slices.DeleteFunc(slices.Clone(whole.Ledger), func(e backtest.Event) bool { return e.Fill > whole.Dates[at] })
		want := &backtest.Result{
			Keys: whole.Keys, Dates: whole.Dates[:n], Returns: whole.Returns[:n], Equity: whole.Equity[:n], Gross: whole.Gross[:n], Traded: whole.Traded[:n],
			Weights: head(whole.Weights), CashWeight: whole.CashWeight[:n],
			Contributions: head(whole.Contributions), CashContribution: whole.CashContribution[:n], Ledger: ledger,
		}
		for _, c := range whole.Custom {
			want.Custom = append(want.Custom, backtest.Custom{Name: c.Name, Values: c.Values[:n]})
		}
		part.Weights, part.Contributions = head(part.Weights), head(part.Contributions)
		if diff := cmp.Diff(want, part, cmpopts.IgnoreFields(backtest.Result{}, "Summary"), cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("cut at %s (-whole +cut):\n%s", whole.Dates[at], diff)
		}
	})
}

func TestScalingCapitalScalesEquity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := drawUniverse(t)
		one, err := u.run(u.frame)
		if err != nil {
			return
		}
		u.spec.InitialCash *= 4 // a power of two scales without rounding
		four, err := u.run(u.frame)
		if err != nil {
			t.Fatal(err)
		}
		for k := range one.Equity {
			if four.Equity[k] != 4*one.Equity[k] || four.Returns[k] != one.Returns[k] {
				t.Fatalf("%s: equity %v and %v", one.Dates[k], one.Equity[k], four.Equity[k])
			}
		}
	})
}

func TestHolderOfOneSeriesIsThatSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := panel(1, rapid.IntRange(2, 400).Draw(t, "sessions"))
		r, err := backtest.Run(context.Background(), f, monthly(), fixed(1), backtest.Everything)
		if err != nil {
			t.Fatal(err)
		}
		for k := range r.Returns {
			if math.Abs(r.Returns[k]-f.Members[0].Returns[k]) > 1e-14 {
				t.Fatalf("%s: %v, want %v", r.Dates[k], r.Returns[k], f.Members[0].Returns[k])
			}
		}
	})
}

// TestWideUniverse holds the path that looks ahead to the oracle.
func TestWideUniverse(t *testing.T) {
	f := panel(131, 300)
	want := oracle(f, monthly(), func(int) map[string]float64 {
		weights := map[string]float64{}
		for i := range f.Members {
			weights[f.Members[i].Key] = 1 / float64(len(f.Members))
		}
		return weights
	})
	r, err := backtest.Run(context.Background(), f, monthly(), backtest.DeciderFunc(equalWeight), backtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range want {
		if k > 0 { // the base has none
			near(t, "return on "+w.date.String(), r.Returns[k], w.ret, 1e-12)
		}
		near(t, "exposure on "+w.date.String(), r.Gross[k], w.gross, 1e-12)
		near(t, "traded on "+w.date.String(), r.Traded[k], w.traded, 1e-12)
	}
}
