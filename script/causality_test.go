package script

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/backtest/calendar"
	"ballast/timeseries"
)

const busy = `from harness import momentum, volatility, inverse_volatility, top, vol_target, drawdown, drifted, cap
NAME = "Busy"
SCHEDULE = {"every": "weekly", "weekday": "wed"}
START = "two_members"
UNIVERSE = ["A", "B", "C", "D"]

def decide(ctx):
    scores = {s: momentum(ctx.prices(s, 40)) / (1 + volatility(ctx.returns(s, 30))) for s in ctx.universe if ctx.sessions(s) > 5}
    best = top(scores, 2)
    ctx.record("depth", min([drawdown(ctx.prices(s)) for s in ctx.universe]))
    if len(best) < 2:
        return {}
    panel = ctx.panel(best, 60)
    target = vol_target(cap(inverse_volatility(panel), 0.8), panel, 0.1, max_gross=1.5)
    return target if drifted(ctx.weights, target, 0.05) else None
`

// TestTheFutureChangesNothing cuts the bars at any session: what a script
// decided up to it stays as it was.
func TestTheFutureChangesNothing(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	cal := calendar.XNYS()
	begin := cal.Count(timeseries.NewDate(2019, time.June, 3))
	var sources []timeseries.Source
	for i, key := range []string{"A", "B", "C", "D"} {
		s := timeseries.Series{Base: cal.Session(begin + 17*i)}
		for k := 17*i + 1; k < 300; k++ {
			s.Dates = append(s.Dates, cal.Session(begin+k))
			s.Returns = append(s.Returns, 0.0004+0.01*rng.NormFloat64())
		}
		sources = append(sources, timeseries.Source{Key: key, Series: s})
	}
	whole, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	p := mustCheck(t, busy)
	in, _ := p.Bind(nil)
	run := func(f *timeseries.Frame) *backtest.Result {
		r, err := NewRunner(p, in, f, RunnerLimits{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := backtest.Run(context.Background(), f, p.Spec(in), r, backtest.Everything)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	full := run(whole)
	if len(full.Ledger) < 10 {
		t.Fatalf("%d trades prove little", len(full.Ledger))
	}
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(60, len(whole.Axis)-1).Draw(t, "at")
		cut := run(whole.Cut(whole.Axis[at]))
		n := len(cut.Dates)
		if !slices.Equal(cut.Equity, full.Equity[:n]) || !slices.Equal(cut.Returns, full.Returns[:n]) {
			t.Fatalf("cut at %s, equity differs", whole.Axis[at])
		}
	})
}
