package backtest_test

import (
	"context"
	"encoding/json"
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

// TestScenarios runs the files of testdata/scenarios, whose language
// scenario_parse_test.go describes. Beside what a file expects, each of its
// runs is held to the oracle, and to itself on bars that end on each session.
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

// scenario is where a file stands between two directives.
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

// runScenario returns what a text gets wrong: the first directive that is not
// understood, or each expectation that does not hold.
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

// run runs the model on the members, and holds the result to the oracle.
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
	s.result, s.failed = s.model.run(s.frame, func(t int, target map[string]float64) {
		s.asked = append(s.asked, s.frame.Axis[t])
		targets[t] = target
	})
	s.excused = s.failed == nil
	if s.failed != nil {
		return nil
	}
	sameAsOracle(s, s.result, oracle(market, s.model.spec, func(t int, _ map[string]float64) map[string]float64 { return targets[t] }))
	for at, date := range s.result.Dates {
		if len(s.result.Dates) > 100 {
			break
		}
		part, err := s.model.run(s.frame.Cut(date), func(int, map[string]float64) {})
		if err != nil {
			return d.errorf("cut on %s: %w", date, err)
		}
		sameUpTo(s, s.result, part, at)
	}
	if as != "" {
		s.models[as] = timeseries.Source{Key: as, Series: s.result.Series(), SevenDay: s.frame.BarsPerYear == 365}
	}
	return s.model.unasked(s.asked, until)
}

// unasked reports a session up to a date that has a line of its own and was no
// decision session.
func (m *scenarioModel) unasked(asked []timeseries.Date, until timeseries.Date) error {
	for day, l := range m.planned {
		if day <= until && !slices.Contains(asked, day) {
			return l.errorf("%s is not one of the decision sessions: %v", day, asked)
		}
	}
	return nil
}

// run runs the model over a frame and tells each of its decisions.
func (m *scenarioModel) run(f *timeseries.Frame, tell func(t int, target map[string]float64)) (*backtest.Result, error) {
	decider := backtest.Decider(backtest.DeciderFunc(m.decide))
	if m.script != nil {
		var err error
		if decider, err = m.scripted(f); err != nil {
			return nil, err
		}
	}
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
	}), backtest.Everything)
}

// scripted makes the decider of a model that is a script.
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

// expect returns what does not hold.
func (s *scenario) expect(d directive) []error {
	what := strings.Join(d.words[1:], " ")
	if strings.HasPrefix(what, "error ") {
		want := strings.TrimPrefix(what, "error ")
		s.excused = true
		if s.failed == nil || !strings.Contains(s.failed.Error(), want) {
			return []error{d.errorf("the run ended with %v, want %q", s.failed, want)}
		}
		return nil
	}
	if s.result == nil {
		return []error{d.errorf("there is no result: %v", s.failed)}
	}
	switch what {
	case "rows", "some rows":
		return s.expectRows(d, what == "rows")
	case "ledger":
		return expectLines(d, s.ledgerWords())
	case "warnings":
		return expectLines(d, s.warningWords())
	case "summary":
		return s.expectSummary(d)
	case "decisions":
		return expectDates(d, s.asked)
	case "axis":
		return expectDates(d, s.frame.Axis)
	}
	return []error{d.errorf("%q is none of rows, some rows, ledger, warnings, summary, decisions, axis and error", what)}
}

func (s *scenario) expectRows(d directive, all bool) (problems []error) {
	t, err := d.table()
	if err != nil {
		return []error{err}
	}
	columns := make([][]float64, len(t.names))
	for i, name := range t.names {
		if columns[i], err = column(s.result, name); err != nil {
			return []error{t.header.errorf("%w", err)}
		}
	}
	for k, row := range t.rows {
		at, ok := timeseries.Find(s.result.Dates, row.day)
		if !ok || all && at != k {
			problems = append(problems, row.errorf("%s is not the next row; the result has %v", row.day, s.result.Dates))
			continue
		}
		for i, cell := range row.cells {
			problems = append(problems, row.compare(fmt.Sprintf("%s: %s", row.day, t.names[i]), cell, columns[i][at])...)
		}
	}
	if all && len(t.rows) < len(s.result.Dates) {
		problems = append(problems, d.errorf("%d rows, but the result has %v", len(t.rows), s.result.Dates))
	}
	return problems
}

// compare holds a number to a cell; "-" stands for none.
func (l line) compare(what, cell string, got float64) []error {
	want := math.NaN()
	if cell != "-" {
		var err error
		if want, err = l.number(cell); err != nil {
			return []error{err}
		}
	}
	if math.Abs(got-want) <= 1e-12*max(1, math.Abs(want)) || math.IsNaN(got) && math.IsNaN(want) {
		return nil
	}
	return []error{l.errorf("%s is %.15g, want %s = %.15g", what, got, cell, want)}
}

// column is a column of the result by its name in the daily table.
func column(r *backtest.Result, name string) ([]float64, error) {
	member := func(columns [][]float64, cash []float64, key string) ([]float64, error) {
		if key == backtest.CashKey {
			return cash, nil
		}
		i := slices.Index(r.Keys, key)
		if i < 0 {
			return nil, fmt.Errorf("%s is not a member", key)
		}
		if columns[i] == nil {
			return make([]float64, len(r.Dates)), nil
		}
		return columns[i], nil
	}
	switch prefix, key, _ := strings.Cut(name, "."); prefix + "." {
	case backtest.WeightPrefix:
		return member(r.Weights, r.CashWeight, key)
	case backtest.ContributionPrefix:
		return member(r.Contributions, r.CashContribution, key)
	case backtest.CustomPrefix:
		for _, c := range r.Custom {
			if c.Name == key {
				return c.Values, nil
			}
		}
		return nil, fmt.Errorf("nothing is recorded as %s", key)
	}
	if c, ok := map[string][]float64{"return": r.Returns, "equity": r.Equity, "gross_exposure": r.Gross, "traded": r.Traded}[name]; ok {
		return c, nil
	}
	return nil, fmt.Errorf("%s is not a column: return, equity, gross_exposure, traded, weight.KEY, contribution.KEY or custom.NAME", name)
}

// ledgerWords writes an event a line: FILL from DECIDED REASON TURNOVER, then
// by member KEY BEFORE->TARGET.
func (s *scenario) ledgerWords() [][]string {
	var lines [][]string
	for _, e := range s.result.Ledger {
		words := []string{e.Fill.String(), "from", e.Decided.String(), string(e.Reason), exact(e.Turnover)}
		for _, one := range e.Trades {
			key := backtest.CashKey
			if one.Member != backtest.CashMember {
				key = s.result.Keys[one.Member]
			}
			words = append(words, key, exact(one.Before)+"->"+exact(one.Target))
		}
		lines = append(lines, words)
	}
	return lines
}

// warningWords writes a warning a line: KIND [KEY] FIRST to LAST COUNT.
func (s *scenario) warningWords() [][]string {
	var lines [][]string
	for _, w := range s.result.Summary.Warnings {
		words := []string{string(w.Kind)}
		if w.Key != "" {
			words = append(words, w.Key)
		}
		lines = append(lines, append(words, w.Date.String(), "to", w.Last.String(), fmt.Sprint(w.Count)))
	}
	return lines
}

func exact(v float64) string { return fmt.Sprintf("%.17g", v) }

// expectLines compares word by word; words that are numbers within rounding.
func expectLines(d directive, got [][]string) (problems []error) {
	for k, l := range d.body {
		if k >= len(got) {
			return append(problems, l.errorf("there is no such line"))
		}
		if len(l.words) != len(got[k]) {
			problems = append(problems, l.errorf("it reads %q", strings.Join(got[k], " ")))
			continue
		}
		for n, word := range l.words {
			if !sameWord(word, got[k][n]) {
				problems = append(problems, l.errorf("%q is %s in %q", word, got[k][n], strings.Join(got[k], " ")))
			}
		}
	}
	for _, words := range got[min(len(got), len(d.body)):] {
		problems = append(problems, d.errorf("there is also %q", strings.Join(words, " ")))
	}
	return problems
}

func sameWord(want, got string) bool {
	if want == got {
		return true
	}
	a, to, pair := strings.Cut(want, "->")
	b, gotTo, _ := strings.Cut(got, "->")
	if pair && !sameWord(to, gotTo) {
		return false
	}
	v, err := arithmetic(a)
	w, gotErr := arithmetic(b)
	return err == nil && gotErr == nil && math.Abs(v-w) <= 1e-12*max(1, math.Abs(v))
}

// expectSummary compares fields of the summary by their path in its JSON.
func (s *scenario) expectSummary(d directive) (problems []error) {
	text, err := backtest.EncodeSummary(s.result.Summary)
	var all any
	if err != nil || json.Unmarshal(text, &all) != nil {
		return []error{d.errorf("the summary cannot be read: %v", err)}
	}
	for _, l := range d.body {
		if len(l.words) != 2 {
			return []error{l.errorf("a line is a field and its value")}
		}
		value := all
		for part := range strings.SplitSeq(l.words[0], ".") {
			fields, _ := value.(map[string]any)
			value = fields[part]
		}
		switch v := value.(type) {
		case float64:
			problems = append(problems, l.compare(l.words[0], l.words[1], v)...)
		case nil:
			problems = append(problems, l.compare(l.words[0], l.words[1], math.NaN())...)
		case map[string]any:
			if len(v) > 0 || l.words[1] != "{}" {
				problems = append(problems, l.errorf("%s is %v", l.words[0], v))
			}
		default:
			if got := fmt.Sprint(v); got != l.words[1] {
				problems = append(problems, l.errorf("%s is %s", l.words[0], got))
			}
		}
	}
	return problems
}

// expectDates compares a list of days.
func expectDates(d directive, got []timeseries.Date) []error {
	var want []timeseries.Date
	for _, l := range d.body {
		days, rest, err := l.days()
		for err == nil && len(rest) > 0 {
			want = append(want, days...)
			days, rest, err = line{file: l.file, at: l.at, words: rest}.days()
		}
		if err != nil {
			return []error{err}
		}
		want = append(want, days...)
	}
	if !slices.Equal(want, got) {
		return []error{d.errorf("%v, want %v", got, want)}
	}
	return nil
}
