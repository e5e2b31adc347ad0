package examples_test

import (
	"math"
	"slices"
	"testing"

	"ballast/backtest"
	"ballast/examples"
	"ballast/script"
	"ballast/timeseries"
)

// outcome is one run of an example.
type outcome struct {
	program *script.Script
	frame   *timeseries.Frame
	result  *backtest.Result
}

func mustCheck(t testing.TB, name string) *script.Script {
	t.Helper()
	text, err := examples.Source(name)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := script.Check(text, nil)
	for _, x := range problems {
		t.Errorf("%s:%d:%d: %s: %s", name, x.Line, x.Column, x.Rule, x.Message)
	}
	if p == nil {
		t.FailNow()
	}
	return p
}

// run runs an example with its default inputs, apart from those in starts.
func run(t testing.TB, m market, name string) outcome {
	t.Helper()
	p := mustCheck(t, name)
	return runOn(t, p, withModels(t, m, p).frame(t, p.Universe))
}

// starts has start dates for examples whose members' earliest bars have gaps.
var starts = map[string]any{"X-BARBELL": "2015-02-02"}

func runOn(t testing.TB, p *script.Script, f *timeseries.Frame) outcome {
	t.Helper()
	result, err := decide(t, p, f, map[string]any{"start_date": starts[p.Symbol]})
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	return outcome{p, f, result}
}

// decide runs an example on inputs and gives the run's own error.
func decide(t testing.TB, p *script.Script, f *timeseries.Frame, values map[string]any) (*backtest.Result, error) {
	t.Helper()
	inputs, details := p.Bind(values)
	if len(details) > 0 {
		t.Fatal(details)
	}
	decider, err := script.NewRunner(p, inputs, f, script.RunnerLimits{})
	if err != nil {
		return nil, err
	}
	return backtest.Run(t.Context(), f, p.Spec(inputs), decider, backtest.Everything)
}

// withModels adds to the market the examples that a program holds.
func withModels(t testing.TB, m market, p *script.Script) market {
	t.Helper()
	for _, name := range examples.Names() {
		member := mustCheck(t, name)
		if _, there := m[member.Symbol]; !there && slices.Contains(p.Universe, member.Symbol) {
			m[member.Symbol] = timeseries.Source{Key: member.Symbol, Series: run(t, m, name).result.Series()}
		}
	}
	return m
}

func TestScriptsAreValid(t *testing.T) {
	t.Parallel()
	names := examples.Names()
	if len(names) < 30 {
		t.Errorf("%d examples", len(names))
	}
	symbols := map[string]string{}
	for _, name := range names {
		p := mustCheck(t, name)
		if other, twice := symbols[p.Symbol]; twice || p.Symbol == "" {
			t.Errorf("%s has the symbol %q, %q has it too", name, p.Symbol, other)
		}
		symbols[p.Symbol] = name
		if _, err := readDocstring(p.Description); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRunsOnRealBars(t *testing.T) {
	m := realMarket(t)
	for _, name := range examples.Names() {
		t.Run(name, func(t *testing.T) { checkRun(t, name, run(t, m, name)) })
	}
}

func TestRunsOnTheSampleMarket(t *testing.T) {
	t.Parallel()
	m := sampleMarket(t)
	for _, name := range examples.Names() {
		t.Run(name, func(t *testing.T) { checkRun(t, name, run(t, m, name)) })
	}
}

// bounds limits the targets of examples. An example that is not listed is long only and
// at most fully invested.
var bounds = map[string]struct {
	lowest, sum, gross float64 // of one weight; of all; of their absolute values
}{
	"leveraged_hedged.py":                {0, 3, 3},
	"leveraged_risk_parity.py":           {0, 1.5, 1.5},
	"pairs_spread.py":                    {-0.5, 0, 1},
	"time_series_momentum_long_short.py": {-2, 2, 2},
	"volatility_managed.py":              {0, 1.5, 1.5},
	"volatility_target.py":               {0, 1.5, 1.5},
}

// partlyInCash lists the examples whose targets do not always add up to 1.
var partlyInCash = []string{
	"golden_cross.py", "leveraged_hedged.py", "leveraged_risk_parity.py", "pairs_spread.py", "rsi2.py",
	"time_series_momentum_long_short.py", "volatility_managed.py", "volatility_target.py",
}

const rounding = 1e-9

func checkRun(t *testing.T, name string, o outcome) {
	t.Helper()
	limit, ok := bounds[name]
	if !ok {
		limit.sum, limit.gross = 1, 1
	}
	whole := !slices.Contains(partlyInCash, name)
	if len(o.result.Ledger) == 0 {
		t.Fatal("it never traded")
	}
	for _, e := range o.result.Ledger {
		if e.Reason != "start" && e.Reason != "schedule" {
			t.Errorf("%s: an event for being %s", e.Fill, e.Reason)
		}
		var sum, gross float64
		for _, trade := range e.Trades {
			if trade.Member == backtest.CashMember {
				continue
			}
			if trade.Target < limit.lowest-rounding {
				t.Fatalf("%s: %s has a target of %v", e.Fill, o.result.Keys[trade.Member], trade.Target)
			}
			sum += trade.Target
			gross += math.Abs(trade.Target)
		}
		if sum > limit.sum+rounding || gross > limit.gross+rounding || whole && sum < 1-rounding {
			t.Fatalf("%s: targets add up to %v, their absolute values to %v", e.Fill, sum, gross)
		}
	}
	if s := o.result.Summary; s.Ruined || len(s.Warnings) > 0 || s.Sessions < 250 {
		t.Errorf("ruined %v, %d sessions, warnings %v", s.Ruined, s.Sessions, s.Warnings)
	}
}

// TestTheFutureChangesNothing cuts the bars at a session in the middle of each run:
// everything before it must stay identical to the bit.
func TestTheFutureChangesNothing(t *testing.T) {
	t.Parallel()
	m := sampleMarket(t)
	for _, name := range examples.Names() {
		whole := run(t, m, name)
		n := len(whole.result.Dates) * 2 / 3
		past := runOn(t, whole.program, whole.frame.Cut(whole.result.Dates[n-1])).result
		if !slices.Equal(past.Dates, whole.result.Dates[:n]) || !slices.Equal(past.Returns, whole.result.Returns[:n]) {
			t.Errorf("%s: the returns up to %s change with what follows", name, whole.result.Dates[n-1])
		}
		for k, w := range past.Weights {
			if w != nil && !slices.Equal(w, whole.result.Weights[k][:n]) {
				t.Errorf("%s: the weights of %s up to %s change with what follows", name, past.Keys[k], whole.result.Dates[n-1])
			}
		}
	}
}
