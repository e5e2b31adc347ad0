package examples_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
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

const (
	resultsFile = "testdata/results.txt"
	readmeFile  = "README.md"
	tableBegins = "| model | idea | source |"
)

// TestResultsOnRealBars compares the results of every example on real bars with those
// stored, so that no number changes unnoticed. Run it with -update to store new ones.
func TestResultsOnRealBars(t *testing.T) {
	m := realMarket(t)
	var results, table strings.Builder
	table.WriteString(tableBegins + " window | CAGR | volatility | max drawdown |\n|---|---|---|---|---:|---:|---:|\n")
	for _, name := range examples.Names() {
		o := run(t, m, name)
		line, block := figures(name, o)
		results.WriteString(line)
		d, err := readDocstring(o.program.Description)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintf(&table, "| [%s](%s) | %s | %s | %s to %s | %.1f %% | %.1f %% | %.1f %% |\n", o.program.Name, name, d.idea, d.source,
			o.result.Summary.Base, o.result.Summary.EndDate, 100*block.CAGR, 100*block.AnnualVolatility, 100*block.MaxDrawdown.Value)
	}
	if *update {
		rewrite(t, results.String(), table.String())
		return
	}
	want, err := os.ReadFile(resultsFile)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, strings.Split(string(want), "\n"), strings.Split(results.String(), "\n"))
	if readme := readFile(t, readmeFile); !strings.Contains(readme, table.String()) {
		t.Errorf("the table of %s is not current: run this test with -update", readmeFile)
	}
}

func compare(t *testing.T, want, got []string) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s has %d lines, there are %d examples: run this test with -update", resultsFile, len(want)-1, len(got)-1)
		return
	}
	for i, line := range got {
		if line != want[i] {
			t.Errorf("results differ:\nwas %s\nis  %s", want[i], line)
		}
	}
}

func rewrite(t *testing.T, results, table string) {
	t.Helper()
	readme := readFile(t, readmeFile)
	before, after, found := strings.Cut(readme, tableBegins)
	if !found {
		t.Fatalf("%s has no table that begins with %q", readmeFile, tableBegins)
	}
	_, after, _ = strings.Cut(after, "\n\n")
	if err := os.WriteFile(readmeFile, []byte(before+table+"\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(resultsFile, []byte(results), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeListsEveryExample needs no real bars.
func TestReadmeListsEveryExample(t *testing.T) {
	t.Parallel()
	readme := readFile(t, readmeFile)
	for _, name := range examples.Names() {
		if !strings.Contains(readme, "]("+name+") |") {
			t.Errorf("%s does not list %s", readmeFile, name)
		}
	}
	if rows, want := strings.Count(readme, ".py) |"), len(examples.Names()); rows != want {
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
