package sandbox

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// BenchmarkRun measures a warm run: with an executor that does nothing, with only the
// engine, and for comparison the engine in this process.
func BenchmarkRun(b *testing.B) {
	f := panel(b, 10, 5040)
	p := testPool(b, 1)
	for _, source := range []string{"pid", "echo"} {
		b.Run(source, func(b *testing.B) {
			for b.Loop() {
				o, err := p.Run(b.Context(), Job{Source: source, Frame: f})
				if err != nil && source != "pid" {
					b.Fatal(err)
				}
				if o != nil {
					o.Release()
				}
			}
		})
	}
	q := poolOf(b, Config{Command: []string{"/proc/self/exe", "script"}})
	j := scripted(b, "")
	j.Frame = panel(b, 3, 5040)
	b.Run("script", func(b *testing.B) {
		for b.Loop() {
			o, err := q.Run(b.Context(), j)
			if err != nil {
				b.Fatal(err)
			}
			o.Release()
		}
	})
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			r, err := backtest.Run(b.Context(), f, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything)
			if err != nil {
				b.Fatal(err)
			}
			daily, ledger, err := r.Tables(memory.DefaultAllocator)
			if err != nil {
				b.Fatal(err)
			}
			daily.Release()
			ledger.Release()
		}
	})
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		p, err := NewPool(b.Context(), Config{Command: []string{"/proc/self/exe", "sandbox"}, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// momentumModel is a typical model: the best three of ten by a year's momentum, weighted
// by their volatility.
const momentumModel = `from harness import momentum, top, inverse_volatility
NAME = "Momentum"
SCHEDULE = "monthly"
UNIVERSE = ["A000", "A001", "A002", "A003", "A004", "A005", "A006", "A007", "A008", "A009"]

def decide(ctx):
    scores = {s: momentum(ctx.prices(s, 252)) for s in ctx.universe if ctx.sessions(s) > 252}
    winners = top(scores, 3)
    if not winners:
        return {}
    return inverse_volatility(ctx.panel(winners, 60))
`

// trivialModel decides almost instantly.
const trivialModel = `NAME = "One"
SCHEDULE = "monthly"
UNIVERSE = ["A000"]

def decide(ctx):
    return {"A000": 1.0}
`

// BenchmarkCausality measures a build's run of 10 assets over 20 years, with and without
// the causality check.
func BenchmarkCausality(b *testing.B) {
	p := poolOf(b, Config{Command: []string{"/proc/self/exe", "script"}})
	j := modelJob(b, momentumModel, panel(b, 10, 5040))
	for _, check := range []bool{false, true} {
		j.Causality = check
		b.Run(fmt.Sprintf("checked=%v", check), func(b *testing.B) { runs(b, p, j) })
	}
}

// BenchmarkWarmStart measures the time from Run to the first decision over ten members
// and 20 years, and the whole time in a warm child of a model that does almost nothing
// over a month, and of one with a full result.
func BenchmarkWarmStart(b *testing.B) {
	q := testPool(b, 1)
	b.Run("decide", func(b *testing.B) {
		j := Job{Source: "when", Frame: panel(b, 10, 5000)}
		var waited time.Duration
		for b.Loop() {
			began := time.Now()
			_, err := q.Run(b.Context(), j)
			var e *script.RunError
			if !errors.As(err, &e) {
				b.Fatal(err)
			}
			first, err := strconv.ParseInt(e.Message, 10, 64)
			if err != nil {
				b.Fatal(e)
			}
			waited += time.Unix(0, first).Sub(began)
		}
		b.ReportMetric(float64(waited.Nanoseconds())/float64(b.N), "ns/decide")
	})
	p := poolOf(b, Config{Command: []string{"/proc/self/exe", "script"}})
	b.Run("trivial", func(b *testing.B) { runs(b, p, modelJob(b, trivialModel, panel(b, 1, 21))) })
	b.Run("10x5000", func(b *testing.B) { runs(b, p, modelJob(b, momentumModel, panel(b, 10, 5000))) })
}

func modelJob(tb testing.TB, source string, f *timeseries.Frame) Job {
	tb.Helper()
	p, problems := script.Check(source, nil)
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	inputs, _ := p.Bind(nil)
	return Job{Source: source, Inputs: inputs.Map(), Frame: f}
}

func runs(b *testing.B, p *Pool, j Job) {
	for b.Loop() {
		o, err := p.Run(b.Context(), j)
		if err != nil {
			b.Fatal(err)
		}
		o.Release()
	}
}

// BenchmarkRefresh measures a run for one new session of a script that decides daily over
// 20 years: from the beginning, and continued.
func BenchmarkRefresh(b *testing.B) {
	p := poolOf(b, Config{Command: []string{"/proc/self/exe", "script"}})
	j := scripted(b, "")
	j.Source = strings.NewReplacer("import equal_weight", "import volatility", `"monthly"`, `"daily"`,
		"BODY", "scores = {s: volatility(ctx.returns(s, 120)) for s in ctx.universe if ctx.sessions(s) > 120}").Replace(model)
	f := panel(b, 10, 5041)
	universe := make([]any, len(f.Members))
	for i := range universe {
		universe[i] = f.Members[i].Key
	}
	j.Inputs["universe"] = universe
	j.Frame = f.Cut(f.Axis[5039])
	o, err := p.Run(b.Context(), j)
	if err != nil {
		b.Fatal(err)
	}
	j.Frame = f
	for _, way := range []string{"whole", "continued"} {
		b.Run(way, func(b *testing.B) {
			for b.Loop() {
				if way == "continued" {
					if j.Earlier, err = backtest.ResultOf(o.Daily(), o.Ledger(), keysOf(f)); err != nil {
						b.Fatal(err)
					}
				}
				again, err := p.Run(b.Context(), j)
				if err != nil {
					b.Fatal(err)
				}
				again.Release()
			}
			b.ReportMetric(float64(o.Steps), "steps")
		})
	}
}
