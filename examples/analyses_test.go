package examples_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ballast/examples"
	"ballast/script"
	"ballast/script/analysis"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// checkAnalysis checks an analysis' script.
func checkAnalysis(t testing.TB, name string) *script.Script {
	t.Helper()
	text, err := examples.Source(name)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := script.Kinds{script.Model, analysis.Kind}.Check(text, nil)
	for _, x := range problems {
		t.Errorf("%s:%d:%d: %s: %s", name, x.Line, x.Column, x.Rule, x.Message)
	}
	if p == nil {
		t.FailNow()
	}
	if p.Kind.Name != analysis.Kind.Name {
		t.Fatalf("%s is a %s", name, p.Kind.Name)
	}
	return p
}

// analyze runs an analysis with its defaults.
func analyze(t testing.TB, m market, name string) (*script.Script, *script.Answer) {
	t.Helper()
	p := checkAnalysis(t, name)
	inputs, details := p.Bind(nil)
	if len(details) > 0 {
		t.Fatal(details)
	}
	caller, err := script.NewCaller(t.Context(), p, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := analysis.Execute(t.Context(), sandbox.Call{
		Caller: caller, Inputs: inputs, Frame: withModels(t, m, p).frame(t, p.Universe), Progress: func(float64) {},
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p, answer
}

// beyond are the functions that need more than a frame of returns: what models hold, or
// runs of them with other inputs.
var beyond = append([]string{"attribution"}, analysis.Kind.Sweeps...)

func TestAnalysesAreValid(t *testing.T) {
	t.Parallel()
	symbols := map[string]string{}
	functions := analysis.Functions()
	for _, name := range examples.Analyses() {
		p := checkAnalysis(t, name)
		if other, twice := symbols[p.Symbol]; twice || p.Symbol == "" {
			t.Errorf("%s has the symbol %q, %q has it too", name, p.Symbol, other)
		}
		symbols[p.Symbol] = name
		if _, err := readDocstring(p.Description); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		functions = slices.DeleteFunc(functions, func(f string) bool { return slices.Contains(beyond, f) || strings.Contains(p.Source, f+"(ctx") })
	}
	if len(functions) > 0 {
		t.Errorf("no example calls %v", functions)
	}
}

func TestAnalysesOnTheSampleMarket(t *testing.T) {
	t.Parallel()
	m := sampleMarket(t)
	for _, name := range examples.Analyses() {
		t.Run(name, func(t *testing.T) {
			if _, answer := analyze(t, m, name); len(answer.Tables) == 0 || len(answer.Figures) == 0 {
				t.Errorf("%d tables and %d figures", len(answer.Tables), len(answer.Figures))
			}
		})
	}
}

// found writes every scalar, and of every table its rows and the mean of each column. The
// residual of a certificate is left out: it is what rounding left, and differs between
// processors.
func found(a *script.Answer) string {
	var b strings.Builder
	for _, s := range a.Scalars {
		if s.Name == "kkt_residual" {
			continue
		}
		fmt.Fprintf(&b, " %s %.9g", s.Name, float64(s.Value))
	}
	for _, table := range a.Tables {
		fmt.Fprintf(&b, " %s[%d]", table.Name, table.Rows())
		for _, c := range table.Columns {
			switch {
			case c.Texts != nil:
			case c.Dates != nil:
				sum := 0
				for _, d := range c.Dates {
					if d != timeseries.NoDate {
						sum += int(d)
					}
				}
				fmt.Fprintf(&b, " %s %d", c.Name, sum)
			default:
				sum, n := 0.0, 0
				for _, v := range c.Numbers {
					if v == v {
						sum, n = sum+v, n+1
					}
				}
				fmt.Fprintf(&b, " %s %.9g", c.Name, sum/float64(max(1, n)))
			}
		}
	}
	return b.String()
}

// finding is what README.md says that an analysis found: the row of the main table that
// is extreme by a column.
type finding struct {
	column string
	least  bool     // the least value instead of the largest
	texts  []string // columns that the format has before the value
	scale  float64
	format string
}

// findings are by main table.
var findings = map[string]finding{
	"components":       {"share", false, nil, 100, "the first component explains %.1f %%"},
	"correlation":      {"value", true, []string{"a", "b"}, 1, "least: %s and %s, %.2f"},
	"drawdowns":        {"depth", true, []string{"key", "peak", "trough"}, 100, "%s from %s to %s, %.1f %%"},
	"factors":          {"loading", false, []string{"factor"}, 1, "largest loading: %s, %.2f"},
	"frontier_members": {"return", false, []string{"key"}, 100, "the highest mean return: %s, %.1f %% a year"},
	"regimes":          {"return", true, []string{"key", "regime"}, 100, "%s when volatility is %s, %.1f %% a year"},
	"figures":          {"sharpe", false, []string{"key"}, 1, "the higher Sharpe ratio: %s, %.2f"},
	"rolling":          {"return", true, []string{"key", "date"}, 100, "worst three years: %s up to %s, %.1f %% a year"},
	"stress":           {"own_return", true, []string{"key", "episode"}, 100, "%s in %s, %.1f %%"},
	"style":            {"weight", false, []string{"factor"}, 100, "largest weight: %s, %.1f %%"},
	"tails":            {"expected_shortfall", false, []string{"key", "method"}, 100, "%s by the method %s, %.1f %% on average"},
}

// finds returns the finding of an analysis.
func finds(t testing.TB, a *script.Answer) string {
	t.Helper()
	for _, table := range a.Tables {
		f, ok := findings[table.Name]
		if !ok {
			continue
		}
		column := func(name string) script.Column {
			return table.Columns[slices.IndexFunc(table.Columns, func(c script.Column) bool { return c.Name == name })]
		}
		values, extreme := column(f.column).Numbers, 0
		for i, v := range values {
			if v == v && (v < values[extreme]) == f.least && v != values[extreme] {
				extreme = i
			}
		}
		var parts []any
		for _, name := range f.texts {
			if c := column(name); c.Texts != nil {
				parts = append(parts, c.Texts[extreme])
			} else {
				parts = append(parts, c.Dates[extreme])
			}
		}
		return fmt.Sprintf(f.format, append(parts, f.scale*values[extreme])...)
	}
	t.Error("no table of the analysis has a finding")
	return ""
}
