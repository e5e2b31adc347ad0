package examples_test

import (
	"slices"
	"testing"

	"ballast/examples"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/script/simulation"
)

// checkSimulation checks a simulation's script.
func checkSimulation(t testing.TB, name string) *script.Script {
	t.Helper()
	text, err := examples.Source(name)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := script.Kinds{script.Model, simulation.Kind}.Check(text, nil)
	for _, x := range problems {
		t.Errorf("%s:%d:%d: %s: %s", name, x.Line, x.Column, x.Rule, x.Message)
	}
	if p == nil {
		t.FailNow()
	}
	if p.Kind.Name != simulation.Kind.Name {
		t.Fatalf("%s is a %s", name, p.Kind.Name)
	}
	return p
}

// simulate runs a simulation with inputs, and with its defaults for the others.
func simulate(t testing.TB, m market, name string, values map[string]any) (*script.Script, *script.Answer) {
	t.Helper()
	p := checkSimulation(t, name)
	inputs, details := p.Bind(values)
	if len(details) > 0 {
		t.Fatal(details)
	}
	caller, err := script.NewCaller(t.Context(), p, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := simulation.Execute(t.Context(), sandbox.Call{
		Caller: caller, Inputs: inputs, Frame: withModels(t, m, p).frame(t, p.Universe), Progress: func(float64) {},
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p, answer
}

func scalar(t testing.TB, a *script.Answer, name string) float64 {
	t.Helper()
	at := slices.IndexFunc(a.Scalars, func(s script.Scalar) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("the result has no scalar %s", name)
	}
	return float64(a.Scalars[at].Value)
}

func TestSimulationsAreValid(t *testing.T) {
	t.Parallel()
	symbols := map[string]string{}
	for _, name := range examples.Simulations() {
		p := checkSimulation(t, name)
		if other, twice := symbols[p.Symbol]; twice || p.Symbol == "" {
			t.Errorf("%s has the symbol %q, %q has it too", name, p.Symbol, other)
		}
		symbols[p.Symbol] = name
		if _, err := readDocstring(p.Description); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSimulationsOnTheSampleMarket(t *testing.T) {
	t.Parallel()
	m := sampleMarket(t)
	for _, name := range examples.Simulations() {
		t.Run(name, func(t *testing.T) {
			_, answer := simulate(t, m, name, map[string]any{"paths": 500})
			if success := scalar(t, answer, "success"); !(success >= 0 && success <= 1) {
				t.Errorf("success is %v", success)
			}
		})
	}
}
