package download_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/examples"
	"ballast/metrics"
	"ballast/script"
	"ballast/script/download"
	"ballast/script/harness"
)

// scenario is a script in testdata/parity. Comments at its top name the files of bars, the
// inputs, and the members that are delisted.
type scenario struct {
	name     string
	source   string
	bars     []string
	inputs   []string
	delisted []string
	// optimizer is the definition of the optimizer RULE, in JSON; "" if there is none.
	optimizer string
}

func scenarios(t *testing.T) []scenario {
	t.Helper()
	paths, err := filepath.Glob("testdata/parity/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, paths)
	}
	var all []scenario
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := scenario{name: strings.TrimSuffix(filepath.Base(path), ".py"), source: string(text)}
		for line := range strings.Lines(s.source) {
			key, value, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "#")), ": ")
			switch key {
			case "bars":
				s.bars = strings.Fields(value)
			case "input":
				s.inputs = append(s.inputs, value)
			case "delisted":
				s.delisted = strings.Fields(value)
			}
			if !strings.HasPrefix(line, "#") {
				break
			}
		}
		if s.bars == nil {
			s.bars = []string{"synthetic"}
		}
		all = append(all, s)
	}
	return all
}

// exampleScenarios returns the scripts in the folder examples, on funds and bitcoin. Their
// returns are in a file, for those that hold others.
func exampleScenarios(t *testing.T, m *market) []scenario {
	t.Helper()
	m.split(t, "etf21")
	m.split(t, "bitcoin")
	bySymbol := map[string]scenario{}
	var all []scenario
	for _, name := range examples.Names() {
		source, err := examples.Source(name)
		if err != nil {
			t.Fatal(err)
		}
		s := scenario{name: "example_" + strings.TrimSuffix(name, ".py"), source: source}
		p := s.check(t)
		s.bars = p.Universe
		bySymbol[p.Symbol] = s
		all = append(all, s)
	}
	for _, s := range all {
		for _, member := range s.bars {
			if held, ok := bySymbol[member]; ok {
				m.addModel(t, member, held.run(t, m).result.Series())
			}
		}
	}
	return all
}

func (s scenario) values() map[string]any {
	values := map[string]any{}
	for _, pair := range s.inputs {
		name, text, _ := strings.Cut(pair, "=")
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			v = text
		}
		values[name] = v
	}
	return values
}

func (s scenario) check(t *testing.T) *script.Script {
	t.Helper()
	p, problems := script.Check(s.source, nil)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", s.name, problems)
	}
	return p
}

// request renders the scenario's download and returns how to run it.
func (s scenario) request(t *testing.T, m *market, out string) request {
	t.Helper()
	text, err := download.Render(s.check(t), download.Options{Model: "model_" + s.name, Optimizers: s.rules(t)})
	if err != nil {
		t.Fatal(err)
	}
	r := request{File: save(t, m.folder, s.name+".py", text), Arguments: []string{"--json", "--out", out, "--bars"}}
	for _, name := range s.bars {
		r.Arguments = append(r.Arguments, m.path(t, name))
	}
	for _, in := range s.inputs {
		r.Arguments = append(r.Arguments, "--input", in)
	}
	for _, d := range s.delisted {
		r.Arguments = append(r.Arguments, "--delisted", d)
	}
	return r
}

// whole returns the service's result for a scenario.
type whole struct {
	result *backtest.Result
	block  *metrics.Block
	log    []string
}

func (s scenario) run(t *testing.T, m *market) whole {
	t.Helper()
	p := s.check(t)
	inputs, details := p.Bind(s.values())
	if len(details) > 0 {
		t.Fatalf("%s: %v", s.name, details)
	}
	frame := m.frame(t, s.bars, inputs.Universe(), s.delisted)
	runner, err := script.NewRunner(p, inputs, frame, script.RunnerLimits{})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	if s.optimizer != "" {
		rules, err := harness.NewOptimizers(map[string]json.RawMessage{"RULE": json.RawMessage(s.optimizer)}, frame.BarsPerYear, nil)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		runner.UseOptimizers(rules)
	}
	result, err := backtest.Run(context.Background(), frame, p.Spec(inputs), runner, backtest.Everything)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return wholeOf(result, frame.BarsPerYear, runner.Log())
}

func wholeOf(result *backtest.Result, barsPerYear int, log []string) whole {
	block := metrics.Compute(result.Series(), metrics.Options{
		BarsPerYear: barsPerYear, GrossExposure: result.Gross[1:], Traded: result.Traded[1:],
	})
	return whole{result, block, slices.Clone(log)}
}
