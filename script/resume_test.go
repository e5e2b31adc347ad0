package script

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// TestContinuedScriptsAreWhole draws a random script, ends the bars at several
// random sessions and continues the run from each of them: the files must equal
// those of a run from the beginning, byte for byte.
func TestContinuedScriptsAreWhole(t *testing.T) {
	t.Parallel()
	took := 0
	for range 5 {
		rapid.Check(t, func(t *rapid.T) { took += continueScript(t) })
	}
	t.Logf("%d continuations", took)
}

// continueScript returns how many times it continued a run.
func continueScript(t *rapid.T) (took int) {
	p, problems := Check(drawScript(t), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	whole := raggedFrame(&testing.T{}, rapid.Uint64().Draw(t, "bars"), rapid.IntRange(60, 250).Draw(t, "sessions"))
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "cuts"), 2))
	ends := []int{len(whole.Axis) - 1}
	for range 3 {
		ends = append(ends, rng.IntN(len(whole.Axis)))
	}
	slices.Sort(ends)
	var earlier *scripted
	for _, end := range ends {
		f := whole.Cut(whole.Axis[end])
		want, err := runScript(p, f, nil)
		if err != nil {
			if earlier == nil || earlier.result.State == nil {
				continue
			}
			if _, again := runScript(p, f, earlier); again == nil || again.Error() != err.Error() {
				t.Fatalf("error %v, and when continued %v", err, again)
			}
			return took
		}
		if earlier == nil || earlier.result.State == nil {
			earlier = want
			continue
		}
		got, err := runScript(p, f, earlier)
		if err != nil {
			t.Fatal(err)
		}
		took++
		if diff := cmp.Diff(want.result.State, got.result.State); diff != "" {
			t.Fatalf("state (-whole +continued):\n%s", diff)
		}
		if want.steps != got.steps || !bytes.Equal(want.daily, got.daily) || !bytes.Equal(want.ledger, got.ledger) {
			t.Fatalf("%d and %d steps; daily %t, ledger %t", want.steps, got.steps, bytes.Equal(want.daily, got.daily), bytes.Equal(want.ledger, got.ledger))
		}
		earlier = got
	}
	return took
}

func drawScript(t *rapid.T) string {
	pick := func(what string, from ...string) string { return rapid.SampledFrom(from).Draw(t, what) }
	n := rapid.IntRange(3, 60).Draw(t, "n")
	return fmt.Sprintf(`from harness import momentum, volatility, rsi, ema, zscore, drawdown, top, equal_weight, inverse_volatility, vol_target, drifted, blend
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
    if ctx.date[5:7] == "11":
        ctx.record("november", ctx.equity)
    if ctx.last_decision and ctx.last_decision[:7] != ctx.date[:7]:
        ctx.record("rested", ctx.cash)
    best = top(scores, %d)
    if not best:
        return %s
    target = %s
    return %s
`, pick("schedule", `"daily"`, `"weekly"`, `"monthly"`, `{"every": "weekly", "weekday": "wed"}`, `{"every": "monthly", "session": 1}`),
		pick("start", "first_member", "two_members", "all_members"), pick("fill", "close", "next_close"), n+2, n,
		pick("score", "momentum(p)", "-volatility(r)", "rsi(p, 3)", "p.last() - ema(p, 5)", "zscore(r)", "drawdown(p)", "len(p) * r.last()"),
		max(n, 5), rapid.IntRange(1, 4).Draw(t, "hold"), pick("otherwise", "{}", "None", "{'A': 0.5}"),
		pick("weigh", "equal_weight(best)", "inverse_volatility(ctx.panel(best, 20))", "vol_target(equal_weight(best), ctx.panel(best), 0.1, max_gross=1.5)",
			"{s: -0.2 for s in best}", "{s: 12.0 for s in best}"),
		pick("trade", "target", "target if drifted(ctx.weights, target, 0.05) else None", "blend(target, ctx.weights) if ctx.last_decision else target"))
}

// scripted is the result of running a script.
type scripted struct {
	result        *backtest.Result
	steps         uint64
	daily, ledger []byte // Parquet files
}

// runScript runs a script from the beginning, or from the end of an earlier run.
func runScript(p *Script, f *timeseries.Frame, earlier *scripted) (*scripted, error) {
	in, _ := p.Bind(nil)
	d, err := NewRunner(p, in, f, RunnerLimits{})
	if err != nil {
		return nil, err
	}
	s := &scripted{}
	if earlier == nil {
		s.result, err = backtest.Run(context.Background(), f, p.Spec(in), d, backtest.Everything)
	} else {
		s.result, err = resume(p, in, f, d, earlier)
	}
	if err != nil {
		return nil, err
	}
	s.steps = d.Steps()
	if s.result.State != nil {
		s.result.State.Past = backtest.Fingerprint(f, s.result.State.Session)
	}
	daily, ledger, err := s.result.Tables(memory.DefaultAllocator)
	if err != nil {
		return nil, err
	}
	if s.daily, err = parquetOf(daily); err == nil {
		s.ledger, err = parquetOf(ledger)
	}
	return s, err
}

func parquetOf(table arrow.RecordBatch) ([]byte, error) {
	defer table.Release()
	var b bytes.Buffer
	err := columnar.WriteParquet(&b, table, columnar.WriteOptions{})
	return b.Bytes(), err
}

// resume reads what an earlier run stored and continues from it.
func resume(p *Script, in Inputs, f *timeseries.Frame, d *Runner, earlier *scripted) (*backtest.Result, error) {
	var tables []arrow.RecordBatch
	for _, file := range [][]byte{earlier.daily, earlier.ledger} {
		open, err := columnar.NewParquetFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return nil, err
		}
		table, err := open.Read(nil, columnar.All)
		if err != nil {
			return nil, err
		}
		tables = append(tables, table)
	}
	before, err := backtest.ResultOf(tables[0], tables[1], earlier.result.Keys)
	if err != nil {
		return nil, err
	}
	if past := backtest.Fingerprint(f, before.State.Session); past != before.State.Past {
		return nil, fmt.Errorf("another past: %s and %s", past, before.State.Past)
	}
	d.Continue(before.State.Steps, before.State.Custom)
	later, err := backtest.Resume(context.Background(), f, p.Spec(in), d, backtest.Everything, before.State)
	if err != nil {
		return nil, err
	}
	return before.Continue(later, backtest.Everything)
}

// BenchmarkRefresh measures the time of engine and script for one new session of a script
// that decides daily over 20 years.
func BenchmarkRefresh(b *testing.B) {
	p, problems := Check(`from harness import momentum, inverse_volatility, top
NAME = "Heavy"
SCHEDULE = "daily"
START = "two_members"
UNIVERSE = ["A", "B", "C", "D", "E"]

def decide(ctx):
    scores = {s: momentum(ctx.prices(s, 120)) for s in ctx.universe if ctx.sessions(s) > 120}
    best = top(scores, 2)
    return inverse_volatility(ctx.panel(best, 60)) if best else {}
`, nil)
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	f := raggedFrame(&testing.T{}, 1, 5040)
	earlier, err := runScript(p, f.Cut(f.Axis[len(f.Axis)-2]), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d steps", earlier.steps)
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			if _, err := runScript(p, f, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("continued", func(b *testing.B) {
		for b.Loop() {
			if _, err := runScript(p, f, earlier); err != nil {
				b.Fatal(err)
			}
		}
	})
	in, _ := p.Bind(nil)
	d, err := NewRunner(p, in, f, RunnerLimits{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("state", func(b *testing.B) {
		for b.Loop() {
			if _, err := resume(p, in, f, d, earlier); err != nil {
				b.Fatal(err)
			}
		}
	})
}
