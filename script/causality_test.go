package script

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

const busy = `from harness import momentum, volatility, inverse_volatility, top, vol_target, drawdown, drifted, cap
NAME = "Busy"
SCHEDULE = {"every": "weekly", "weekday": "wed"}
START = "two_members"
UNIVERSE = ["A", "B", "C", "D", "E"]

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

// raggedFrame returns random returns of members that come and go: E ends early, and D
// starts late.
func raggedFrame(t testing.TB, seed uint64, sessions int) *timeseries.Frame {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	cal := calendar.XNYS()
	begin := cal.Count(timeseries.NewDate(2019, time.June, 3))
	var sources []timeseries.Source
	for _, m := range []struct {
		key       string
		from, end int
	}{{"A", 0, sessions}, {"B", 17, sessions}, {"C", 34, sessions}, {"D", 2 * sessions / 3, sessions}, {"E", 5, sessions / 2}} {
		s := timeseries.Series{Base: cal.Session(begin + m.from)}
		for k := m.from + 1; k < m.end; k++ {
			if rng.IntN(40) == 0 {
				k += rng.IntN(14) // a hole, which may be long enough to suspend the member
				continue
			}
			s.Dates = append(s.Dates, cal.Session(begin+k))
			s.Returns = append(s.Returns, 0.0004+0.01*rng.NormFloat64())
		}
		sources = append(sources, timeseries.Source{Key: m.key, Series: s, Delisted: m.key == "E"})
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// causality runs a script over a frame and checks its causality.
func causality(p *Script, f *timeseries.Frame, seed uint64) (*backtest.Result, *backtest.Causality, error) {
	in, _ := p.Bind(nil)
	d, err := NewRunner(p, in, f, RunnerLimits{})
	if err != nil {
		return nil, nil, err
	}
	d.Remember()
	r, err := backtest.Run(context.Background(), f, p.Spec(in), d, backtest.Everything)
	if err != nil {
		return nil, nil, err
	}
	verdict, err := backtest.CheckCausality(context.Background(), f, p.Spec(in), r, seed, func(past *timeseries.Frame) (backtest.Decider, error) {
		again, err := NewRunner(p, in, past, RunnerLimits{})
		if err == nil {
			again.Repeat(d)
		}
		return again, err
	})
	return r, verdict, err
}

// TestScriptsAreCausal composes random scripts and runs them on random bars.
func TestScriptsAreCausal(t *testing.T) {
	t.Parallel()
	pick := func(t *rapid.T, what string, from ...string) string { return rapid.SampledFrom(from).Draw(t, what) }
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 90).Draw(t, "n")
		text := fmt.Sprintf(`from harness import momentum, volatility, rsi, ema, zscore, drawdown, top, equal_weight, inverse_volatility, vol_target, drifted, blend
NAME = "Random"
SCHEDULE = %s
START = "%s"
FILL = "%s"
UNIVERSE = ["A", "B", "C", "D", "E"]

def score(ctx, s):
    p, r = ctx.prices(s, %d), ctx.returns(s, %d)
    return %s

def decide(ctx):
    able = [s for s in ctx.universe if ctx.sessions(s) > %d]
    scores = {s: score(ctx, s) for s in able}
    ctx.record("breadth", len([s for s in able if scores[s] > 0]))
    best = top(scores, %d)
    if not best:
        return %s
    target = %s
    return %s
`, pick(t, "schedule", `"daily"`, `"weekly"`, `"monthly"`, `{"every": "weekly", "weekday": "wed"}`, `{"every": "monthly", "session": 1}`),
			pick(t, "start", "first_member", "two_members", "all_members"), pick(t, "fill", "close", "next_close"), n+2, n,
			pick(t, "score", "momentum(p)", "-volatility(r)", "rsi(p, 3)", "p.last() - ema(p, 5)", "zscore(r)", "drawdown(p)", "len(p) * r.last()"),
			max(n, 5), rapid.IntRange(1, 4).Draw(t, "hold"), pick(t, "otherwise", "{}", "None"),
			pick(t, "weigh", "equal_weight(best)", "inverse_volatility(ctx.panel(best, 20))", "vol_target(equal_weight(best), ctx.panel(best), 0.1, max_gross=1.5)", "{s: -0.2 for s in best}"),
			pick(t, "trade", "target", "target if drifted(ctx.weights, target, 0.05) else None", "blend(target, ctx.weights) if ctx.last_decision else target"))
		p, problems := Check(text, nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		_, verdict, err := causality(p, raggedFrame(&testing.T{}, rapid.Uint64().Draw(t, "bars"), rapid.IntRange(60, 250).Draw(t, "sessions")), rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			return // for example, nothing was ever held
		}
		if !verdict.Causal {
			t.Fatalf("%+v", verdict.Difference)
		}
	})
}

// TestTheFutureChangesNothing cuts the bars at any session. The script's decisions up to
// it must stay the same.
func TestTheFutureChangesNothing(t *testing.T) {
	t.Parallel()
	whole := raggedFrame(t, 3, 300)
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
