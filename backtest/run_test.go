package backtest_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/timeseries"
)

// days returns a frame on consecutive calendar days from 2024-01-01 (a Monday). A member
// is given by its key and returns: "_" before its first bar, "0" at it, "." on a session
// without a bar. A delisted member's key ends in "!".
func days(t testing.TB, members ...string) *timeseries.Frame {
	t.Helper()
	var sources []timeseries.Source
	for _, m := range members {
		words := strings.Fields(m)
		key := words[0]
		s := timeseries.Series{Base: timeseries.NoDate}
		d := timeseries.NewDate(2024, time.January, 1)
		for _, w := range words[1:] {
			var r float64
			if _, err := fmt.Sscan(w, &r); err == nil {
				if s.Empty() {
					s.Base = d
				} else {
					s.Dates, s.Returns = append(s.Dates, d), append(s.Returns, r)
				}
			}
			d++
		}
		sources = append(sources, timeseries.Source{Key: strings.TrimSuffix(key, "!"), Series: s, SevenDay: true, Delisted: strings.HasSuffix(key, "!")})
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func daily() backtest.Spec {
	return backtest.Spec{
		Schedule: backtest.Schedule{Every: "daily"}, Fill: backtest.FillClose, Start: backtest.StartAllMembers,
		StartDate: timeseries.NoDate, InitialCash: 1000,
	}
}

// yearly decides only on the start session, within the few days of a test.
func yearly() backtest.Spec {
	s := daily()
	s.Schedule = backtest.Schedule{Every: "yearly", Session: -1}
	return s
}

// ledger formats events, one per line: fill, decided, reason, turnover, key before→target.
func ledger(r *backtest.Result) []string {
	var lines []string
	for _, e := range r.Ledger {
		line := fmt.Sprintf("%s %s %s %.4g:", e.Fill.String()[8:], e.Decided.String()[8:], e.Reason, e.Turnover)
		for _, t := range e.Trades {
			key := backtest.CashKey
			if t.Member >= 0 {
				key = r.Keys[t.Member]
			}
			line += fmt.Sprintf(" %s %.4g→%.4g", key, t.Before, t.Target)
		}
		lines = append(lines, line)
	}
	return lines
}

func warnings(r *backtest.Result) []string {
	var lines []string
	for _, w := range r.Summary.Warnings {
		lines = append(lines, fmt.Sprintf("%s %s %s %d", w.Kind, w.Key, w.Date.String()[8:], w.Count))
	}
	return lines
}

// TestEvents checks small cases computed by hand.
func TestEvents(t *testing.T) {
	stale := strings.Repeat(". ", 10)
	for _, c := range []struct {
		name     string
		frame    *timeseries.Frame
		spec     backtest.Spec
		decide   func(s *backtest.Session, target []float64) bool
		base     string
		ledger   []string
		warnings []string
		equity   []float64
	}{
		{"drift and a trade back", days(t, "A 0 .1 0", "B 0 0 0"), daily(), hold(.5, .5), "01",
			[]string{"01 01 start 1: A 0→0.5 B 0→0.5", "02 02 schedule 0.04762: A 0.5238→0.5 B 0.4762→0.5", "03 03 schedule 0: A 0.5→0.5 B 0.5→0.5"},
			nil, []float64{1000, 1050, 1050}},
		{"next close", days(t, "A 0 .1 .1 .1"), func() backtest.Spec { s := yearly(); s.Fill = backtest.FillNextClose; return s }(), hold(1), "02",
			[]string{"02 01 start 1: A 0→1"}, nil, []float64{1000, 1100, 1210}},
		{"an empty target makes a base", days(t, "A 0 .1 .1"), yearly(), hold(0), "01",
			[]string{"01 01 start 0: CASH 1→1"}, nil, []float64{1000, 1000, 1000}},
		{"None makes none", days(t, "A 0 .1 .1"), daily(),
			func(s *backtest.Session, target []float64) bool { target[0] = 1; return s.T == 1 }, "02",
			[]string{"02 02 start 1: A 0→1"}, nil, []float64{1000, 1100}},
		{"a start date", days(t, "A 0 .1 .1"), func() backtest.Spec { s := yearly(); s.StartDate = timeseries.NewDate(2024, 1, 2); return s }(), hold(1), "02",
			[]string{"02 02 start 1: A 0→1"}, nil, []float64{1000, 1100}},
		{"suspended on the eleventh session", days(t, "A 0 "+stale+". .5 .5", "B 0 "+strings.Repeat("0 ", 13)), yearly(), hold(.5), "01",
			[]string{"01 01 start 0.5: A 0→0.5", "12 12 suspended 0.5: A 0.5→0"}, []string{"suspended A 12 1", "stale A 02 11"}, repeat(1000, 14)},
		{"ten sessions are stale alone", days(t, "A 0 "+stale+".5", "B 0 "+strings.Repeat("0 ", 11)), yearly(), hold(.5), "01",
			[]string{"01 01 start 0.5: A 0→0.5"}, []string{"stale A 02 10"}, append(repeat(1000, 11), 1250)},
		{"a target on a suspended member, which comes back", days(t, "A 0 "+stale+". . .5 .5", "B 0 "+strings.Repeat("0 ", 14)), daily(),
			func(s *backtest.Session, target []float64) bool { target[0] = 1; return s.T == 0 || s.T >= 12 }, "01",
			[]string{"01 01 start 1: A 0→1", "12 12 suspended 1: A 1→0", "13 13 schedule 0: CASH 1→1", "14 14 schedule 1: A 0→1", "15 15 schedule 0: A 1→1"},
			[]string{"suspended A 12 1", "untradable A 13 1", "stale A 02 12"}, append(repeat(1000, 14), 1500)},
		{"delisted", days(t, "A! 0 .1", "B 0 0 0 0"), yearly(), hold(.5), "01",
			[]string{"01 01 start 0.5: A 0→0.5", "03 03 delisted 0.5238: A 0.5238→0"}, []string{"delisted A 03 1"}, []float64{1000, 1050, 1050, 1050}},
		{"ruin", days(t, "A 0 -.6 .5 .5"), yearly(), hold(2), "01",
			[]string{"01 01 start 2: A 0→2", "02 02 ruin 0.8: A 0.8→0"}, []string{"ruin  02 1"}, []float64{1000, 0, 0, 0}},
		{"ruin of a short", days(t, "A 0 .2 1.5 .5", "B 0 0 0 0"), yearly(), hold(-1), "01",
			[]string{"01 01 start 1: A 0→-1", "03 03 ruin 3.75: A -3.75→0"}, []string{"ruin  03 1"}, []float64{1000, 800, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := backtest.Run(context.Background(), c.frame, c.spec, backtest.DeciderFunc(
				func(s *backtest.Session, target []float64) (bool, error) { return c.decide(s, target), nil }), backtest.Everything)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Dates[0].String()[8:]; got != c.base {
				t.Errorf("base %s, want %s", got, c.base)
			}
			if diff := cmp.Diff(c.ledger, ledger(r)); diff != "" {
				t.Errorf("ledger:\n%s", diff)
			}
			if diff := cmp.Diff(c.warnings, warnings(r)); diff != "" {
				t.Errorf("warnings:\n%s", diff)
			}
			if len(r.Equity) != len(c.equity) {
				t.Fatalf("equity %v, want %v", r.Equity, c.equity)
			}
			for k, v := range c.equity {
				near(t, "equity on "+r.Dates[k].String(), r.Equity[k], v, 1e-9)
			}
		})
	}
}

func hold(weights ...float64) func(*backtest.Session, []float64) bool {
	return func(_ *backtest.Session, target []float64) bool { copy(target, weights); return true }
}

func repeat(v float64, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = v
	}
	return all
}

func TestRunRefuses(t *testing.T) {
	broken := errors.New("division by zero")
	for _, c := range []struct {
		name   string
		frame  *timeseries.Frame
		start  backtest.Start
		date   string
		decide backtest.DeciderFunc
		says   string
	}{
		{"not a number", days(t, "A 0 0"), backtest.StartAllMembers, "", target(math.NaN()), "2024-01-01: A: the target is not a finite number"},
		{"infinite", days(t, "A 0 0"), backtest.StartAllMembers, "", target(math.Inf(-1)), "2024-01-01: A: the target is not a finite number"},
		{"no bar yet", days(t, "A _ 0", "B 0 0"), backtest.StartFirstMember, "", target(.5), "2024-01-01: A: the target is for a member that has no bar yet"},
		{"the decider fails", days(t, "A 0 0"), backtest.StartAllMembers, "", func(*backtest.Session, []float64) (bool, error) { return false, broken }, "2024-01-01: division by zero"},
		{"a member without bars", days(t, "A 0 0", "B _ _"), backtest.StartAllMembers, "", target(1), "needs 2 members with bars; B has none"},
		{"a start date after the end", days(t, "A 0 0"), backtest.StartAllMembers, "2030-01-01", target(1), "2030-01-01 is after the last bar, 2024-01-02"},
		{"never a decision", days(t, "A 0 0"), backtest.StartAllMembers, "", func(*backtest.Session, []float64) (bool, error) { return false, nil }, "no decision was filled"},
		{"beyond numbers", days(t, "A 0 1e300 1e300"), backtest.StartAllMembers, "", target(1), "too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := daily()
			spec.Start = c.start
			if c.date != "" {
				spec.StartDate, _ = timeseries.ParseDate(c.date)
			}
			_, err := backtest.Run(context.Background(), c.frame, spec, c.decide, backtest.Options{})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v does not say %q", err, c.says)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := backtest.Run(ctx, days(t, "A 0 0"), daily(), target(1), backtest.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func target(w float64) backtest.DeciderFunc {
	return func(_ *backtest.Session, target []float64) (bool, error) { target[0] = w; return true, nil }
}

// TestSessionShowsThePast compares what a decision sees with values computed by hand.
func TestSessionShowsThePast(t *testing.T) {
	f := days(t, "A 0 .1 .1", "B _ 0 0")
	spec := daily()
	spec.Start = backtest.StartFirstMember
	var seen []string
	_, err := backtest.Run(context.Background(), f, spec, backtest.DeciderFunc(func(s *backtest.Session, target []float64) (bool, error) {
		seen = append(seen, fmt.Sprintf("%s %v %.4f equity %.1f cash %.1f last %d", s.Date, s.Tradable, s.Weights, s.Equity, s.Cash, s.Last))
		target[0] = .5
		return s.T != 1, nil
	}), backtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"2024-01-01 [true false] [0.0000 0.0000] equity 1000.0 cash 1000.0 last -1",
		"2024-01-02 [true true] [0.5238 0.0000] equity 1050.0 cash 500.0 last 0",
		"2024-01-03 [true true] [0.5475 0.0000] equity 1105.0 cash 500.0 last 0",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}
