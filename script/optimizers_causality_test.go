package script

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/optimize/optimizer"
	"ballast/script/harness"
	"ballast/timeseries"
)

// drivenScript holds what the optimizer ALLOC chooses.
const drivenScript = `NAME = "Driven"
SCHEDULE = %s
START = "two_members"
UNIVERSE = [%s]

def decide(ctx):
    able = [s for s in ctx.universe if ctx.sessions(s) > %d]
    if len(able) < 2:
        return None
    return optimize("ALLOC", ctx.panel(able, %d), current=ctx.weights)
`

// driven is a model whose weights an optimizer chooses.
type driven struct {
	script     *Script
	definition json.RawMessage
	// peek replaces the optimizer's rule if it is not nil. It is given the frame.
	peek func(f *timeseries.Frame) harness.Allocator
}

func newDriven(t testing.TB, schedule, universe string, bars int, definition string) *driven {
	t.Helper()
	p, problems := Check(fmt.Sprintf("from harness import optimize\n"+drivenScript, schedule, universe, bars, bars), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &driven{script: p, definition: json.RawMessage(definition)}
}

// runner returns a runner of the model that may use the optimizer.
func (d *driven) runner(f *timeseries.Frame) (*Runner, error) {
	in, _ := d.script.Bind(nil)
	r, err := NewRunner(d.script, in, f, RunnerLimits{})
	if err != nil {
		return nil, err
	}
	rules, err := harness.NewOptimizers(map[string]json.RawMessage{"ALLOC": d.definition}, f.BarsPerYear, func(definition optimizer.Definition) (harness.Allocator, error) {
		if d.peek != nil {
			return d.peek(f), nil
		}
		p, problems := Kinds{Optimizer}.Check(definition.Script, nil)
		if len(problems) > 0 {
			return nil, fmt.Errorf("%v", problems)
		}
		inputs, _ := p.Bind(nil)
		return NewRule(p, inputs), nil
	})
	if err == nil {
		r.UseOptimizers(rules)
	}
	return r, err
}

func (d *driven) run(f *timeseries.Frame) (*backtest.Result, *Runner, error) {
	r, err := d.runner(f)
	if err != nil {
		return nil, nil, err
	}
	r.Remember()
	in, _ := d.script.Bind(nil)
	result, err := backtest.Run(context.Background(), f, d.script.Spec(in), r, backtest.Everything)
	return result, r, err
}

// check runs the model and checks its causality, as a build does.
func (d *driven) check(f *timeseries.Frame, seed uint64) (*backtest.Result, *backtest.Causality, error) {
	result, runner, err := d.run(f)
	if err != nil {
		return nil, nil, err
	}
	in, _ := d.script.Bind(nil)
	verdict, err := backtest.CheckCausality(context.Background(), f, d.script.Spec(in), result, seed, func(past *timeseries.Frame) (backtest.Decider, error) {
		again, err := d.runner(past)
		if err == nil {
			again.Repeat(runner)
		}
		return again, err
	})
	return result, verdict, err
}

const scriptedOptimizer = `NAME = "ALLOC"

def optimize(ctx):
    able = {s: 1 / (0.001 + sum([r * r for r in v])) for s, v in ctx.panel.items()}
    total = sum(able.values())
    return {s: able[s] / total for s in able}
`

// objectives are definitions of every objective, by name. Those of limits have weights for
// every panel of two members and more.
var objectives = map[string]string{
	optimizer.MinVariance:        `{"objective": "min_variance", "bounds": {"default": [0, 0.6]}, "turnover": {"max": 0.8}, "fallback": "equal_weight"}`,
	optimizer.MaxSharpe:          `{"objective": "max_sharpe", "covariance": {"estimator": "ledoit_wolf"}, "expected": {"estimator": "mean"}, "fallback": "equal_weight"}`,
	optimizer.TargetReturn:       `{"objective": "target_return", "target": 0.02, "expected": {"estimator": "mean"}, "fallback": "hold"}`,
	optimizer.TargetRisk:         `{"objective": "target_risk", "target": 0.2, "expected": {"estimator": "mean"}, "fallback": "equal_weight"}`,
	optimizer.MeanVariance:       `{"objective": "mean_variance", "risk_aversion": 8, "expected": {"estimator": "exponential", "halflife": 30}}`,
	optimizer.RiskParity:         `{"objective": "risk_parity", "covariance": {"estimator": "exponential", "halflife": 20}}`,
	optimizer.MaxDiversification: `{"objective": "max_diversification"}`,
	optimizer.HRP:                `{"objective": "hrp"}`,
	optimizer.MinCVaR:            `{"objective": "min_cvar", "bounds": {"default": [0, 0.7]}}`,
	optimizer.BlackLitterman:     `{"objective": "black_litterman", "market": {"A": 3, "B": 2, "C": 1, "D": 1, "E": 1}, "views": [{"weights": {"A": 1, "B": -1}, "return": 0.03}], "fallback": "equal_weight"}`,
	optimizer.Scripted:           `{"objective": "script", "script": ` + quoted(scriptedOptimizer) + `}`,
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// Every objective decides on the past alone: a build's proof says so, and bars that end
// earlier, or that are others from some day on, change no row before that day.
func TestOptimizersAreCausal(t *testing.T) {
	t.Parallel()
	if len(objectives) != len(optimizer.Objectives) {
		t.Fatalf("%d objectives, want %d", len(objectives), len(optimizer.Objectives))
	}
	for _, name := range optimizer.Objectives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			traded, failed := 0, error(nil)
			rapid.Check(t, func(t *rapid.T) {
				d := newDriven(&testing.T{}, rapid.SampledFrom([]string{`"weekly"`, `"monthly"`, `{"every": "weekly", "weekday": "wed"}`}).Draw(t, "schedule"),
					`"A", "B", "C", "D", "E"`, rapid.IntRange(12, 30).Draw(t, "bars"), objectives[name])
				seed := rapid.Uint64().Draw(t, "market")
				whole := raggedFrame(&testing.T{}, seed, rapid.IntRange(70, 120).Draw(t, "sessions"))
				full, verdict, err := d.check(whole, rapid.Uint64().Draw(t, "seed"))
				if err != nil {
					failed = err // such as a limit of turnover that nothing satisfies
					return
				}
				if !verdict.Causal {
					t.Fatalf("%+v", verdict.Difference)
				}
				traded += len(full.Ledger)
				at := rapid.IntRange(len(whole.Axis)/2, len(whole.Axis)-1).Draw(t, "at")
				for what, f := range map[string]*timeseries.Frame{"cut": whole.Cut(whole.Axis[at]), "other": otherFuture(whole, at)} {
					again, _, err := d.run(f)
					if err != nil {
						continue // such as no trade so far
					}
					same := 0
					for same < len(full.Dates) && full.Dates[same] <= whole.Axis[at] {
						same++
					}
					for i, v := range full.Equity[:same] {
						if again.Equity[i] != v {
							t.Fatalf("%s at %s: equity on %s is %v, not %v", what, whole.Axis[at], full.Dates[i], again.Equity[i], v)
						}
					}
				}
			})
			if traded < 100 {
				t.Errorf("%d trades prove little; the last error: %v", traded, failed)
			}
		})
	}
}

// otherFuture returns a frame with other returns after a session.
func otherFuture(f *timeseries.Frame, at int) *timeseries.Frame {
	out := *f
	out.Members = slices.Clone(f.Members)
	for i := range out.Members {
		m := &out.Members[i]
		m.Returns = slices.Clone(m.Returns)
		for t := at + 1; t < len(m.Returns); t++ {
			m.Returns[t] *= -1.5
		}
	}
	return &out
}

// peeking is an optimizer that holds the member with the best last return of the whole
// frame.
type peeking struct{ frame *timeseries.Frame }

func (p peeking) Allocate(_ *starlark.Thread, in optimizer.Input) ([]float64, error) {
	weights, best, at := make([]float64, len(in.Symbols)), math.Inf(-1), 0
	for i, s := range in.Symbols {
		m := p.frame.Members[slices.IndexFunc(p.frame.Members, func(m timeseries.Member) bool { return m.Key == s })]
		if last := m.Returns[len(m.Returns)-1]; last > best {
			best, at = last, i
		}
	}
	weights[at] = 1
	return weights, nil
}

// An optimizer that sees the future is found out.
func TestAnOptimizerThatPeeksIsFound(t *testing.T) {
	t.Parallel()
	d := newDriven(t, `"weekly"`, `"A", "B", "C"`, 10, objectives[optimizer.Scripted])
	d.peek = func(f *timeseries.Frame) harness.Allocator { return peeking{f} }
	found := 0
	for seed := range uint64(20) {
		_, verdict, err := d.check(raggedFrame(t, seed, 150), seed)
		if err != nil {
			t.Fatal(err)
		}
		if !verdict.Causal {
			found++
		}
	}
	if found != 20 {
		t.Errorf("found in %d of 20 markets", found)
	}
}

// The order of the universe changes no weight of a member.
func TestOrderOfTheUniverseChangesNoWeight(t *testing.T) {
	t.Parallel()
	for _, name := range optimizer.Objectives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := raggedFrame(t, 11, 200)
			var first *backtest.Result
			for _, universe := range []string{`"A", "B", "C", "D", "E"`, `"E", "D", "C", "B", "A"`, `"C", "A", "E", "B", "D"`} {
				result, _, err := newDriven(t, `"weekly"`, universe, 30, objectives[name]).run(f)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = result
				}
				if !slices.Equal(result.Dates, first.Dates) {
					t.Fatalf("%s: other days", universe)
				}
				for i, v := range result.Equity {
					if math.Abs(v-first.Equity[i]) > 1e-7 {
						t.Fatalf("%s: equity on %s is %v, not %v", universe, result.Dates[i], v, first.Equity[i])
					}
				}
			}
		})
	}
}
