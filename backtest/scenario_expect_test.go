package backtest_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"ballast/backtest"
	"ballast/timeseries"
)

// expect returns the expectations that fail.
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

// compare compares a number with a cell; "-" means no value.
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

// column returns a column of the result by its name in the daily table.
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

// ledgerWords formats events, one per line: FILL from DECIDED REASON TURNOVER, then by
// member KEY BEFORE->TARGET.
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

// warningWords formats warnings, one per line: KIND [KEY] FIRST to LAST COUNT.
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

// expectLines compares word by word, and numbers up to rounding.
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
