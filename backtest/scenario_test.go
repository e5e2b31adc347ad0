package backtest_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// TestScenarios runs the files in testdata/scenarios, whose language is described in
// scenario_parse_test.go. Besides the expectations in the file, each run is compared
// with the oracle, and with itself on bars that end on each session.
func TestScenarios(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range runScenario(t, file, string(text)) {
				t.Error(err)
			}
		})
	}
}

// scenario is the state of a file between two directives.
type scenario struct {
	fataler
	sources []timeseries.Source
	models  map[string]timeseries.Source
	model   *scenarioModel
	frame   *timeseries.Frame
	result  *backtest.Result
	failed  error // of the run
	excused bool  // an error was expected, or there was none
	asked   []timeseries.Date
}

// runScenario returns what is wrong in a scenario: the first directive that cannot be
// parsed, or each expectation that fails.
func runScenario(t fataler, file, text string) []error {
	directives, err := parseScenario(file, text)
	if err != nil {
		return []error{err}
	}
	s := &scenario{fataler: t, models: map[string]timeseries.Source{}, excused: true}
	var problems []error
	for _, d := range directives {
		if d.words[0] == "expect" {
			problems = append(problems, s.expect(d)...)
			continue
		}
		if !s.excused {
			return append(problems, d.errorf("the run before failed: %w", s.failed))
		}
		if err := s.do(d); err != nil {
			return append(problems, err)
		}
	}
	if !s.excused {
		problems = append(problems, fmt.Errorf("%s: the last run failed: %w", file, s.failed))
	}
	return problems
}

func (s *scenario) do(d directive) (err error) {
	switch strings.Join(d.words, " ") {
	case "load returns", "load prices":
		loaded, err := d.members(d.words[1] == "prices")
		s.sources = append(s.sources, loaded...)
		return err
	case "clear":
		s.sources = nil
		return nil
	case "model":
		s.model, err = d.model()
		return err
	}
	switch {
	case d.words[0] == "load" && len(d.words) > 2 && d.words[1] == "models":
		for _, key := range d.words[2:] {
			m, ok := s.models[key]
			if !ok {
				return d.errorf("no run was kept as %s", key)
			}
			s.sources = append(s.sources, m)
		}
		return nil
	case d.words[0] == "run":
		return s.run(d)
	}
	return d.errorf("%q is not understood", strings.Join(d.words, " "))
}

// run runs the model on the members.
func (s *scenario) run(d directive) error {
	var (
		as    string
		until = timeseries.Date(math.MaxInt32)
		err   error
	)
	for k := 1; k+1 < len(d.words); k += 2 {
		switch d.words[k] {
		case "until":
			until, err = d.date(d.words[k+1])
		case "as":
			as = d.words[k+1]
		default:
			err = d.errorf("%q is neither until nor as", d.words[k])
		}
		if err != nil {
			return err
		}
	}
	if s.model == nil {
		return d.errorf("there is no model")
	}
	if s.frame, err = timeseries.Align(s.sources); err != nil {
		return d.errorf("%w", err)
	}
	market := oracleOf(s.sources)
	if until != math.MaxInt32 {
		s.frame = s.frame.Cut(until)
		market = oracleOn(s.frame)
	}
	targets := make([]map[string]float64, len(s.frame.Axis))
	s.asked = nil
	s.result, s.failed = s.model.run(s.frame, 0, func(t int, target map[string]float64) {
		s.asked = append(s.asked, s.frame.Axis[t])
		targets[t] = target
	})
	if s.excused = s.failed == nil; s.excused {
		return s.check(d, market, targets, until, as)
	}
	return nil // the scenario may expect the error
}

// check compares the result of the run d with the oracle, and with itself on bars that
// end on each session. The result is stored under the name as.
func (s *scenario) check(d directive, market oracleMarket, targets []map[string]float64, until timeseries.Date, as string) error {
	sameAsOracle(s, s.result, oracle(market, s.model.spec, func(t int, _ map[string]float64) map[string]float64 { return targets[t] }))
	for at, date := range s.result.Dates {
		if len(s.result.Dates) > 100 {
			break
		}
		part, err := s.model.run(s.frame.Cut(date), 0, func(int, map[string]float64) {})
		if err != nil {
			return d.errorf("cut on %s: %w", date, err)
		}
		sameUpTo(s, s.result, part, at)
	}
	if s.model.keep > 0 {
		var err error
		if s.result, err = s.model.run(s.frame, s.model.keep, func(int, map[string]float64) {}); err != nil {
			return d.errorf("%w", err)
		}
	}
	if as != "" {
		s.models[as] = timeseries.Source{Key: as, Series: s.result.Series(), SevenDay: s.frame.BarsPerYear == 365}
	}
	return s.model.unasked(s.asked, until)
}

// unasked reports a session up to a date that has its own line but was not a decision
// session.
func (m *scenarioModel) unasked(asked []timeseries.Date, until timeseries.Date) error {
	for day, l := range m.planned {
		if day <= until && !slices.Contains(asked, day) {
			return l.errorf("%s is not one of the decision sessions: %v", day, asked)
		}
	}
	return nil
}

// run runs the model over a frame, keeps a number of rows of the ledger, and reports each
// decision.
func (m *scenarioModel) run(f *timeseries.Frame, keep int, tell func(t int, target map[string]float64)) (*backtest.Result, error) {
	decider := backtest.Decider(backtest.DeciderFunc(m.decide))
	if m.script != nil {
		var err error
		if decider, err = m.scripted(f); err != nil {
			return nil, err
		}
	}
	opt := backtest.Everything
	opt.LedgerRows = keep
	return backtest.Run(context.Background(), f, m.spec, backtest.DeciderFunc(func(s *backtest.Session, target []float64) (bool, error) {
		trade, err := decider.Decide(s, target)
		var decided map[string]float64
		if trade {
			decided = map[string]float64{}
			for i, w := range target {
				decided[f.Members[i].Key] = w
			}
		}
		tell(s.T, decided)
		return trade, err
	}), opt)
}

// scripted returns the decider of a model that is a script.
func (m *scenarioModel) scripted(f *timeseries.Frame) (backtest.Decider, error) {
	p, problems := script.Check(strings.Join(m.script, "\n")+"\n", nil)
	if len(problems) > 0 {
		return nil, m.at.errorf("%s", problems[0])
	}
	inputs, details := p.Bind(map[string]any{"initial_cash": m.spec.InitialCash})
	if len(details) > 0 {
		return nil, m.at.errorf("%s: %s", details[0].Location, details[0].Message)
	}
	m.spec = p.Spec(inputs)
	return script.NewRunner(p, inputs, f, script.RunnerLimits{})
}

// decide follows the lines of the model block.
func (m *scenarioModel) decide(s *backtest.Session, target []float64) (bool, error) {
	weights, planned := m.plan[s.Date]
	switch {
	case planned:
	case m.target != nil:
		weights = m.target
	case !m.otherwise:
		return false, m.at.errorf("nothing says what is decided on %s", s.Date)
	}
	seen := map[string]float64{"equity": s.Equity, "cash": s.Cash}
	off := m.band == 0
	for i, held := range s.Weights {
		key := s.Frame.Members[i].Key
		target[i] = weights[key]
		seen[backtest.WeightPrefix+key] = held
		band := m.band
		if m.relative {
			band *= math.Abs(target[i])
		}
		off = off || math.Abs(held-target[i]) > band
	}
	for _, r := range m.records {
		if r.on != timeseries.NoDate && r.on != s.Date {
			continue
		}
		v, ok := seen[r.what]
		if !ok {
			v = r.value
		}
		s.Record(r.name, v)
	}
	for key := range weights {
		if !slices.ContainsFunc(s.Frame.Members, func(m timeseries.Member) bool { return m.Key == key }) {
			return false, m.at.errorf("%s is not a member", key)
		}
	}
	return weights != nil && off, nil
}
