package examples_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/examples"
	"ballast/metrics"
)

var update = flag.Bool("update", false, "write README.md and testdata/results.txt again from the real bars")

// docstring has the parts of an example's docstring.
type docstring struct{ idea, text, source, departures string }

// readDocstring splits a docstring into the idea in one line, what the model does, its
// source, and its departures from it.
func readDocstring(text string) (docstring, error) {
	parts := strings.Split(text, "\n\n")
	if len(parts) != 4 {
		return docstring{}, fmt.Errorf("the docstring has %d paragraphs; idea, rule, Source and Departures are needed", len(parts))
	}
	for i, p := range parts {
		parts[i] = strings.Join(strings.Fields(p), " ")
	}
	source, ok := strings.CutPrefix(parts[2], "Source: ")
	departures, ok2 := strings.CutPrefix(parts[3], "Departures: ")
	if !ok || !ok2 {
		return docstring{}, errors.New("the last two paragraphs of the docstring do not begin with their headings, Source and Departures")
	}
	return docstring{parts[0], parts[1], source, departures}, nil
}

// figures returns an outcome's line of testdata/results.txt.
func figures(name string, o outcome) (line string, block *metrics.Block) {
	r := o.result
	block = metrics.Compute(r.Series(), metrics.Options{BarsPerYear: o.frame.BarsPerYear, GrossExposure: r.Gross[1:], Traded: r.Traded[1:]})
	s := r.Summary
	return fmt.Sprintf("%-36s base %s end %s decisions %4d cagr %9.6f vol %9.6f maxdd %9.6f turnover %9.6f gross %8.6f first %s\n",
		name, s.Base, s.EndDate, s.Decisions.Count, block.CAGR, block.AnnualVolatility, block.MaxDrawdown.Value, block.Turnover, s.MaxGrossExposure, firstTargets(r)), block
}

// firstTargets writes the first decision's targets.
func firstTargets(r *backtest.Result) string {
	var parts []string
	for _, trade := range r.Ledger[0].Trades {
		if trade.Member != backtest.CashMember && trade.Target != 0 {
			parts = append(parts, fmt.Sprintf("%s=%.6f", r.Keys[trade.Member], trade.Target))
		}
	}
	if parts == nil {
		return "CASH"
	}
	return strings.Join(parts, ",")
}

const readmeFile = "README.md"

// record is where the results of a kind of examples are stored: a file with a line for
// each, and a table of README.md.
type record struct {
	file    string // in testdata
	header  string // of the table, with the line below it
	results strings.Builder
	rows    strings.Builder
}

var (
	modelsHeader    = "| model | idea | source | window | CAGR | volatility | max drawdown |\n|---|---|---|---|---:|---:|---:|\n"
	plansHeader     = "| simulation | idea | source | success | safe rate | median end in prices of the start |\n|---|---|---|---:|---:|---:|\n"
	questionsHeader = "| analysis | idea | source | finds |\n|---|---|---|---|\n"
)

// TestResultsOnRealBars compares the results of every example on real bars with those
// stored, so that no number changes unnoticed. Run it with -update to store new ones.
func TestResultsOnRealBars(t *testing.T) {
	m := realMarket(t)
	models := record{file: "testdata/results.txt", header: modelsHeader}
	for _, name := range examples.Names() {
		o := run(t, m, name)
		line, block := figures(name, o)
		models.results.WriteString(line)
		d, err := readDocstring(o.program.Description)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintf(&models.rows, "| [%s](%s) | %s | %s | %s to %s | %.1f %% | %.1f %% | %.1f %% |\n", o.program.Name, name, d.idea, d.source,
			o.result.Summary.Base, o.result.Summary.EndDate, 100*block.CAGR, 100*block.AnnualVolatility, 100*block.MaxDrawdown.Value)
	}
	models.check(t)
	plans := record{file: "testdata/simulations.txt", header: plansHeader}
	for _, name := range examples.Simulations() {
		p, answer := simulate(t, m, name, nil)
		d, err := readDocstring(p.Description)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintf(&plans.results, "%-36s", name)
		for _, s := range answer.Scalars {
			fmt.Fprintf(&plans.results, " %s %.9g", s.Name, float64(s.Value))
		}
		plans.results.WriteByte('\n')
		fmt.Fprintf(&plans.rows, "| [%s](%s) | %s | %s | %.1f %% | %.2f %% | %.0f |\n", p.Name, name, d.idea, d.source,
			100*scalar(t, answer, "success"), 100*scalar(t, answer, "safe_rate"), scalar(t, answer, "median_final_real"))
	}
	plans.check(t)
	questions := record{file: "testdata/analyses.txt", header: questionsHeader}
	for _, name := range examples.Analyses() {
		p, answer := analyze(t, m, name)
		d, err := readDocstring(p.Description)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintf(&questions.results, "%-36s%s\n", name, found(answer))
		fmt.Fprintf(&questions.rows, "| [%s](%s) | %s | %s | %s |\n", p.Name, name, d.idea, d.source, finds(t, answer))
	}
	questions.check(t)
}

// check compares with what is stored, or stores it with -update.
func (r *record) check(t *testing.T) {
	t.Helper()
	readme, table := readFile(t, readmeFile), r.header+r.rows.String()
	if *update {
		before, after, found := strings.Cut(readme, r.header)
		if !found {
			t.Fatalf("%s has no table that begins with %q", readmeFile, r.header)
		}
		_, after, _ = strings.Cut(after, "\n\n")
		if err := os.WriteFile(readmeFile, []byte(before+table+"\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.file, []byte(r.results.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, got := strings.Split(readFile(t, r.file), "\n"), strings.Split(r.results.String(), "\n")
	if len(want) != len(got) {
		t.Errorf("%s has %d lines, there are %d examples: run this test with -update", r.file, len(want)-1, len(got)-1)
		return
	}
	for i, line := range got {
		if line != want[i] {
			t.Errorf("results differ:\nwas %s\nis  %s", want[i], line)
		}
	}
	if !strings.Contains(readme, table) {
		t.Errorf("the table of %s is not current: run this test with -update", readmeFile)
	}
}

// TestReadmeListsEveryExample needs no real bars.
func TestReadmeListsEveryExample(t *testing.T) {
	t.Parallel()
	readme := readFile(t, readmeFile)
	names := slices.Concat(examples.Names(), examples.Simulations(), examples.Analyses())
	for _, name := range names {
		if !strings.Contains(readme, "]("+name+") |") {
			t.Errorf("%s does not list %s", readmeFile, name)
		}
	}
	if rows, want := strings.Count(readme, ".py) |"), len(names); rows != want {
		t.Errorf("%s lists %d scripts, there are %d", readmeFile, rows, want)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
