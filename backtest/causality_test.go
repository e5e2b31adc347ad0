package backtest_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/timeseries"
)

func check(tb testing.TB, f *timeseries.Frame, spec backtest.Spec, d backtest.Decider, seed uint64) *backtest.Causality {
	tb.Helper()
	whole, err := backtest.Run(context.Background(), f, spec, d, backtest.Everything)
	if err != nil {
		tb.Fatal(err)
	}
	verdict, err := backtest.CheckCausality(context.Background(), f, spec, whole, seed, func(*timeseries.Frame) (backtest.Decider, error) { return d, nil })
	if err != nil {
		tb.Fatal(err)
	}
	return verdict
}

func TestDecisionsOnThePastAreCausal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := drawUniverse(t)
		whole, err := u.run(u.frame)
		if err != nil {
			return
		}
		verdict, err := backtest.CheckCausality(context.Background(), u.frame, u.spec, whole, rapid.Uint64().Draw(t, "seed"),
			func(*timeseries.Frame) (backtest.Decider, error) { return u.decider(), nil })
		if err != nil {
			t.Fatal(err)
		}
		if !verdict.Causal || verdict.Difference != nil {
			t.Fatalf("%+v", verdict.Difference)
		}
		if len(verdict.Cuts) > 5 || !slices.IsSortedFunc(verdict.Cuts, func(a, b backtest.Cut) int { return int(a.Date - b.Date) }) {
			t.Fatalf("cuts %v", verdict.Cuts)
		}
		for _, c := range verdict.Cuts {
			if want := timeseries.Through(whole.Dates, c.Date); c.Rows != want {
				t.Fatalf("%d rows up to %s, not %d", c.Rows, c.Date, want)
			}
		}
	})
}

// tomorrow returns the return of member i on the session after s, or 0 if there is none.
func tomorrow(s *backtest.Session, i int) float64 {
	if s.T+1 < len(s.Frame.Axis) {
		return s.Frame.Members[i].Returns[s.T+1]
	}
	return 0
}

// TestDecisionsOnTheFutureAreFound checks deciders that read beyond their session in
// many ways.
func TestDecisionsOnTheFutureAreFound(t *testing.T) {
	holdSecond := func(target []float64, weight float64) (bool, error) {
		target[0], target[1] = 0.25, weight
		return true, nil
	}
	daily := monthly()
	daily.Schedule = backtest.Schedule{Every: "daily"}
	late := monthly()
	late.Fill = backtest.FillNextClose
	for _, c := range []struct {
		name, column, symbol string
		spec                 backtest.Spec
		decide               backtest.DeciderFunc
	}{
		{"the sign of the next return", backtest.ColumnTrade, "A001", daily, func(s *backtest.Session, target []float64) (bool, error) {
			return holdSecond(target, math.Copysign(0.5, tomorrow(s, 1)+1e-300))
		}},
		{"a hair of the next return", backtest.ColumnTrade, "A001", monthly(), func(s *backtest.Session, target []float64) (bool, error) {
			return holdSecond(target, 0.5+1e-9*tomorrow(s, 1))
		}},
		{"the end of the bars", backtest.ColumnTrade, "A001", monthly(), func(s *backtest.Session, target []float64) (bool, error) {
			return holdSecond(target, 1/float64(len(s.Frame.Axis)))
		}},
		{"the next return, filled with it", backtest.ColumnDecision, "A001", late, func(s *backtest.Session, target []float64) (bool, error) {
			return holdSecond(target, 0.5+1e-9*tomorrow(s, 1))
		}},
		{"whether to trade", backtest.ColumnTrade, "A000", monthly(), func(s *backtest.Session, target []float64) (bool, error) {
			if tomorrow(s, 1) == 0 {
				return false, nil
			}
			return holdSecond(target, 0.5)
		}},
		{"whether to trade, filled later", backtest.ColumnDecision, "A000", late, func(s *backtest.Session, target []float64) (bool, error) {
			if s.Last >= 0 && tomorrow(s, 1) == 0 {
				return false, nil
			}
			return holdSecond(target, 0.5)
		}},
		{"all cash, filled later", backtest.ColumnDecision, backtest.CashKey, late, func(s *backtest.Session, _ []float64) (bool, error) {
			return s.Last < 0 || tomorrow(s, 1) != 0, nil
		}},
		{"a record", backtest.ColumnCustom, "peek", monthly(), func(s *backtest.Session, target []float64) (bool, error) {
			s.Record("peek", tomorrow(s, 1))
			return holdSecond(target, 0.5)
		}},
		{"a record or none", backtest.ColumnCustom, "peek", monthly(), func(s *backtest.Session, target []float64) (bool, error) {
			if tomorrow(s, 1) != 0 {
				s.Record("peek", 1)
			}
			return holdSecond(target, 0.5)
		}},
		{"an error", backtest.ColumnError, "", monthly(), func(s *backtest.Session, target []float64) (bool, error) {
			if s.T+1 == len(s.Frame.Axis) {
				return false, errors.New("no future")
			}
			return holdSecond(target, 0.5)
		}},
		{"an error of a target", backtest.ColumnError, "A001", monthly(), func(s *backtest.Session, target []float64) (bool, error) {
			if tomorrow(s, 1) == 0 {
				return holdSecond(target, math.NaN())
			}
			return holdSecond(target, 0.5)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			// 300 sessions end in the middle of a month, so no decision is on the last bar.
			verdict := check(t, panel(2, 300), c.spec, c.decide, 7)
			d := verdict.Difference
			if verdict.Causal || d == nil {
				t.Fatalf("counts as causal: %+v", verdict)
			}
			cut := verdict.Cuts[len(verdict.Cuts)-1].Date
			if d.Column != c.column || d.Symbol != c.symbol || d.Cut != cut || d.Date != cut {
				t.Errorf("%+v; want %s of %q on %s", d, c.column, c.symbol, cut)
			}
			same := math.Float64bits(float64(d.Whole)) == math.Float64bits(float64(d.Past))
			if same {
				t.Errorf("the same on both sides: %+v", d)
			}
		})
	}
}

// TestCutsFollowTheSeed checks that the same script is always checked on the same
// sessions and another script on different ones, always including the first and last.
func TestCutsFollowTheSeed(t *testing.T) {
	f := panel(2, 1500)
	dates := func(seed uint64) []backtest.Cut {
		return check(t, f, monthly(), backtest.DeciderFunc(equalWeight), seed).Cuts
	}
	one, two := dates(1), dates(2)
	if !slices.Equal(one, dates(1)) || slices.Equal(one, two) {
		t.Errorf("cuts %v of seed 1, %v of seed 2", one, two)
	}
	if len(one) != 5 || len(two) != 5 || one[0] != two[0] || one[4] != two[4] || one[0].Date != f.Axis[0] || one[0].Rows != 1 {
		t.Errorf("cuts %v and %v", one, two)
	}
}

func TestFewDecisionsHaveFewCuts(t *testing.T) {
	for _, c := range []struct{ sessions, cuts int }{{1, 0}, {2, 1}, {15, 1}, {30, 2}, {55, 3}, {75, 4}} {
		f := panel(1, c.sessions)
		verdict := check(t, f, monthly(), fixed(1), 3)
		if !verdict.Causal || verdict.Cuts == nil || len(verdict.Cuts) != c.cuts {
			t.Errorf("%d sessions: %+v", c.sessions, verdict)
		}
	}
}

func TestCausalityIsCanceled(t *testing.T) {
	f := panel(2, 300)
	ctx, cancel := context.WithCancel(context.Background())
	whole, err := backtest.Run(ctx, f, monthly(), fixed(0.5, 0.5), backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	_, err = backtest.CheckCausality(ctx, f, monthly(), whole, 1, func(*timeseries.Frame) (backtest.Decider, error) {
		cancel()
		return fixed(0.5, 0.5), nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	wrong := errors.New("no decider")
	_, err = backtest.CheckCausality(context.Background(), f, monthly(), whole, 1, func(*timeseries.Frame) (backtest.Decider, error) { return nil, wrong })
	if !errors.Is(err, wrong) {
		t.Errorf("error %v", err)
	}
}

// BenchmarkCausality measures what the check adds to a run of 10 assets over 20 years.
func BenchmarkCausality(b *testing.B) {
	f := panel(10, 5040)
	d := backtest.DeciderFunc(equalWeight)
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			if _, err := backtest.Run(b.Context(), f, monthly(), d, backtest.Everything); err != nil {
				b.Fatal(err)
			}
		}
	})
	whole, err := backtest.Run(b.Context(), f, monthly(), d, backtest.Everything)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			verdict, err := backtest.CheckCausality(b.Context(), f, monthly(), whole, 1, func(*timeseries.Frame) (backtest.Decider, error) { return d, nil })
			if err != nil || !verdict.Causal {
				b.Fatal(err, verdict)
			}
		}
	})
}
