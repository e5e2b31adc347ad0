package download_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/testenv"
	"ballast/script"
	"ballast/script/analysis"
)

// A script that fails in the service fails as a download, in the same line and with the
// same message.
func TestFailingAnalyses(t *testing.T) {
	t.Parallel()
	interpreter(t)
	folder := t.TempDir()
	bodies := testenv.Some(t, 12, []struct{ body, message string }{
		{`factors(ctx, 3, ["B"])`, `factors: y is 3; accepted: the symbol of a member, such as "SPY"`},
		{`factors(ctx, "A", 3)`, `factors: x is 3; accepted: an array of symbols of members, such as ["SPY", "TLT"]`},
		{`factors(ctx, "A", ["B", 3])`, "factors: x contains 3"},
		{`factors(ctx, "A", ["B", "B"])`, "factors: x names B twice; accepted: each member once"},
		{`factors(ctx, "A", ["A", "B"])`, "factors: x contains A, the member that is explained; accepted: other members"},
		{`factors(ctx, "A", ["B"], frequency="monthy")`, `factors: frequency is "monthy"; accepted: daily, monthly; did you mean monthly?`},
		{`factors(ctx, "A", ["B"], lags=-1)`, "factors: lags is -1; accepted: an integer from 0 to 1000"},
		{`factors(ctx, "A", ["B"], lags=500, frequency="monthly")`, "rows it must be from 0 to"},
		{`factors(ctx, "A", ["B"], riskless="B")`, "riskless is B, which is also explained or a factor"},
		{`factors(ctx, "A", ["B"], riskless=2)`, "factors: riskless is 2; accepted"},
		{`factors(ctx, "A", ["X"])`, "factors: X is not in the universe"},
		{`attribution(ctx, "A", "B")`, "attribution: A and B do not trade on the same days around 200"},
		{`attribution(ctx, "A", "A")`, "attribution: benchmark is A, the model itself; accepted: another member"},
		{`report(ctx, ["A"], benchmark="A")`, "report: benchmark is A, which is also reported on; accepted: another member"},
		{`ctx.ledger("A")`, "ledger: A is no model: only models have trades"},
		{`stress(ctx, "A", shocks={"B": -2})`, `stress: shocks moves "B" by -2; accepted: a dictionary from factors to how far they move, such as {"SPY": -0.2}, fractions from -1 to 10`},
		{`stress(ctx, "A", shocks={})`, `stress: shocks is a dictionary; accepted: a dictionary from factors`},
		{`stress(ctx, "A", episodes=["2007"])`, `stress: episodes names "2007", which is not a known episode`},
		{`correlation(ctx, ["A"])`, "correlation: keys names 1 members; accepted: at least 2 different members"},
		{`correlation(ctx, ["A", "B"], method="kendall")`, `correlation: method is "kendall"; accepted: pearson, spearman`},
		{`components(ctx, ["A", "B"], frequency="weekly")`, `components: frequency is "weekly"; accepted: daily, monthly`},
		{`ctx.panel(["a"])`, "panel: a is not in the universe; did you mean A?"},
		{`drawdowns(ctx, "A", n=0)`, "drawdowns: n is 0; accepted: an integer from 1 to 1000"},
		{`tails(ctx, "A", level=95)`, "tails: level is 95; accepted: a number above 0.5 and below 1, such as 0.95"},
		{`rolling(ctx, "A", [1, 1])`, "rolling: years has 1; accepted: a whole number of years from 1 to 50"},
		{`regimes(ctx, ["A"], "trned")`, `regimes: rule is "trned"; accepted: drawdown, volatility, trend; did you mean trend?`},
		{`style(ctx, "A", ["A", "B"])`, "style: x contains A, the member that is explained; accepted: other members"},
		{`ctx.table("9", {"a": [1]})`, "table: name is"},
		{`ctx.table("t", {"a": [1], "b": [1, 2]})`, "table: column b has 2 values, and column a has 1: they must have the same number"},
		{`ctx.scalar("x", "y")`, "scalar: value is"},
		{`ctx.figure("f", "line", "none", "x", ["y"])`, "figure: table is"},
		{`ctx.table("t", {"a": [1]}) or ctx.figure("f", "pie", "t", "a", ["a"])`, "figure: kind is"},
		{`return 3`, "analyze returned"},
		{`return None`, "analyze found nothing: call a function of the harness such as correlation(ctx, keys)"},
		{`ctx.scalar("a", 1) or ctx.scalar("a", 2)`, "there is a scalar a already: give this one another name"},
	})
	runs := make([]executed, len(bodies))
	requests := make([]request, len(bodies))
	for i, b := range bodies {
		runs[i].analyze(t, rand.New(rand.NewPCG(1, 2)), "    ctx.inputs.universe\n    "+b.body, folder, fmt.Sprint("failing", i), false)
		requests[i] = runs[i].request
	}
	for i, a := range runAll(t, requests) {
		b, want := bodies[i], runs[i].err
		if want == nil || !strings.Contains(want.Error(), b.message) {
			t.Errorf("%s: the service ends with %v, want %q", b.body, want, b.message)
		}
		if a.Code != 1 || a.Out != "" || strings.Count(a.Errors, "\n") != 1 || !strings.Contains(a.Errors, b.message) {
			t.Errorf("%s: ends with %d: %s, want %q", b.body, a.Code, a.Errors, b.message)
		}
		if e := script.AsRunError(want); e != nil && e.Line > 0 && !strings.Contains(a.Errors, fmt.Sprintf("error in line %d of the script", e.Line)) {
			t.Errorf("%s: the service fails in line %d, the download %s", b.body, e.Line, a.Errors)
		}
	}
}

func TestAnalysisCommand(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var run executed
	run.analyze(t, rand.New(rand.NewPCG(1, 2)), `    return factors(ctx, "A", ["B"])`, folder, "analysis", false)
	bars := []string{"--bars", run.request.Arguments[len(run.request.Arguments)-1]}
	apart := save(t, folder, "apart.csv", []byte("symbol,date,adj_close\nA,2020-01-30,1\nA,2020-01-31,2\nE,2020-04-30,2\nF,2020-04-30,2\nB,2020-03-31,1\nB,2020-04-30,2\nC,2020-04-30,2\nD,2020-04-30,2\n"))
	cases := []struct {
		arguments []string
		code      int
		pattern   string
	}{
		{nil, 2, `give either --bars FILE or --url BASE`},
		{append(bars, "--input", "start_date=2010"), 2, `input start_date is 2010; it must be a date written YYYY-MM-DD, or null`},
		{append(bars, "--input", "start_date=2005-01-01", "--input", "end_date=2004-01-01"), 2, `end_date is 2004-01-01, before start_date, 2005-01-01`},
		{append(bars, "--input", "start_date=2050-01-01"), 1, `no member has a return between 2050-01-01 and the end: A from 2001-`},
		{[]string{"--bars", apart}, 1, `factors: A and B have no daily returns in common: A from 2020-01-31 to 2020-01-31, B from 2020-04-30 to 2020-04-30`},
		{append(bars, "--input", `series=["FF5.SMB"]`), 2, `the script reads the series FF5: give its file with --series FF5=FILE`},
		{append(bars, "--kind", "FF5=rate"), 2, `--kind FF5: there is no --series of this name`},
		{append(bars, "--kind", "FF5=ratio"), 2, `--kind FF5=ratio: write it as NAME=KIND, with one of return, rate, index`},
		{[]string{"--help"}, 0, `Analyzes Analysis\.(.|\n)*inputs of this analysis:(.|\n)*start_date       string, null`},
		{bars, 0, `^Analysis\n  2001-\d+-\d+ to 2008-\d+-\d+\n  Alpha of A .*fraction a year\n(.|\n)*  table factors +2 rows\n`},
	}
	requests := make([]request, len(cases))
	for i, c := range cases {
		requests[i] = request{run.request.File, append([]string{}, c.arguments...)}
	}
	for i, a := range runAll(t, requests) {
		c := cases[i]
		if a.Code != c.code || !regexp.MustCompile(c.pattern).MatchString(a.Out+a.Errors) || c.code > 0 && (a.Out != "" || strings.Count(a.Errors, "\n") != 1) {
			t.Errorf("%v: ends with %d instead of %d: %s%s, want %q", c.arguments, a.Code, c.code, a.Out, a.Errors, c.pattern)
		}
	}
}

// The inputs, the functions and the attributes of ctx are those of the service.
func TestAnalysisContract(t *testing.T) {
	t.Parallel()
	const program = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "runtime")
import analyses, analysis, analyst
context = sorted([n for n in dir(analyst.Analyst) if not n.startswith("_")] + ["inputs"])
json.dump([analysis.INPUTS, sorted(analyses.ANALYSES), context], sys.stdout)
`
	out, err := exec.CommandContext(t.Context(), interpreter(t), "-c", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]any{}
	for i := range analysis.Kind.Inputs {
		p := &analysis.Kind.Inputs[i]
		inputs[p.Name] = map[string]any{"type": p.Type, "format": p.Format, "default": p.Default}
	}
	text, err := json.Marshal([]any{inputs, downloaded(), analysis.Kind.Context})
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := errors.Join(json.Unmarshal(text, &want), json.Unmarshal(out, &got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
