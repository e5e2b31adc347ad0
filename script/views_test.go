package script

import (
	"context"
	"slices"
	"testing"

	"ballast/backtest"
	"ballast/timeseries"
)

// foresight returns a frame on which every member's returns are one session early: what a
// script would see if it got one price too many.
func foresight(f *timeseries.Frame) *timeseries.Frame {
	leak := *f
	leak.Members = slices.Clone(f.Members)
	for i := range leak.Members {
		m := &leak.Members[i]
		m.Returns = append(slices.Clone(m.Returns[1:]), 0)
	}
	return &leak
}

// leaking runs a script that is shown a different frame than the engine uses, and checks
// its causality, with or without comparing what repetitions are shown.
func leaking(t *testing.T, p *Script, f *timeseries.Frame, shown func(*timeseries.Frame) *timeseries.Frame, hold bool, seed uint64) *backtest.Causality {
	t.Helper()
	in, _ := p.Bind(nil)
	decider := func(f *timeseries.Frame) *Runner {
		r, err := NewRunner(p, in, shown(f), RunnerLimits{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	runner := decider(f)
	runner.Remember()
	whole, err := backtest.Run(context.Background(), f, p.Spec(in), runner, backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := backtest.CheckCausality(context.Background(), f, p.Spec(in), whole, seed, func(past *timeseries.Frame) (backtest.Decider, error) {
		r := decider(past)
		if hold {
			r.Repeat(runner)
		}
		return r, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// coarse holds the better of two members; on most days one more price does not change the
// decision.
const coarse = `from harness import momentum, top, equal_weight
NAME = "Coarse"
SCHEDULE = "weekly"
UNIVERSE = ["A", "B", "C"]

def decide(ctx):
    able = [s for s in ctx.universe if ctx.sessions(s) > 60]
    return equal_weight(top({s: momentum(ctx.prices(s, 60)) for s in able}, 1))
`

// TestLeakIsFoundWhateverTheDecision checks that a script that was shown the next session
// is detected even if it decided the same at every cut.
func TestLeakIsFoundWhateverTheDecision(t *testing.T) {
	t.Parallel()
	f, p := raggedFrame(t, 21, 300), mustCheck(t, coarse)
	hidden := 0
	for seed := range uint64(40) {
		if leaking(t, p, f, foresight, false, seed).Causal {
			hidden++
		}
		c := leaking(t, p, f, foresight, true, seed)
		d := c.Difference
		if c.Causal || d.Column != backtest.ColumnView || !slices.Contains([]string{"A", "B", "C"}, d.Symbol) || d.Whole == d.Past || d.Date != d.Cut {
			t.Fatalf("seed %d: %+v", seed, d)
		}
	}
	if hidden == 0 {
		t.Error("the decisions alone reveal the leak: use a coarser script")
	}
	same := func(f *timeseries.Frame) *timeseries.Frame { return f }
	for seed := range uint64(10) {
		if c := leaking(t, p, f, same, true, seed); !c.Causal || len(c.Cuts) != 5 {
			t.Fatalf("without a leak: %+v", c.Difference)
		}
	}
}

// TestViewsAreOfAllThatIsShown leaks the future through one method at a time.
func TestViewsAreOfAllThatIsShown(t *testing.T) {
	t.Parallel()
	f := raggedFrame(t, 22, 300)
	for _, c := range []struct {
		name, use string
		shown     func(*timeseries.Frame) *timeseries.Frame
	}{
		{"prices", `ctx.prices("B", 5)`, foresight},
		{"returns", `ctx.returns("B", 5)`, foresight},
		{"a panel", `ctx.panel(["B"], 5)`, foresight},
		{"sessions", `ctx.sessions("B")`, func(f *timeseries.Frame) *timeseries.Frame {
			leak := *f
			leak.Members = slices.Clone(f.Members)
			leak.Members[1].First = 300 - len(f.Axis) // as many sessions as there are in total
			return &leak
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := mustCheck(t, "NAME = \"View\"\nSCHEDULE = \"monthly\"\nUNIVERSE = [\"A\", \"B\"]\n\ndef decide(ctx):\n    "+c.use+"\n    return {\"A\": 1}\n")
			d := leaking(t, p, f, c.shown, true, 3).Difference
			if d == nil || d.Column != backtest.ColumnView || d.Symbol != "B" {
				t.Errorf("%+v", d)
			}
		})
	}
}
