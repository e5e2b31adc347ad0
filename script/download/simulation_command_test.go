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
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/testenv"
	"ballast/script"
	"ballast/script/simulation"
)

// A script that fails in the service fails as a download, in the same line and with the
// same message.
func TestFailingSimulations(t *testing.T) {
	t.Parallel()
	interpreter(t)
	folder := t.TempDir()
	bodies := testenv.Some(t, 12, []struct{ body, message string }{
		{`return "4 %"`, `in month 1 of path 0, simulate returned a string; it must return money, {"withdraw": money, "weights": {...}}, or None for the money of the step before`},
		{`return {"withdrawal": 4}`, `returned the key "withdrawal"; it may return "withdraw" and "weights"`},
		{`return {"weights": {"AB": 1}}`, `returned a weight of "AB", which is not in the universe`},
		{`return {"weights": {"A": "x"}}`, `returned "x" as the weight of A; a weight is a number such as 0.6 for 60 %`},
		{`return {"weights": [1]}`, "returned weights as a list; they must be a dictionary from symbols to weights"},
		{`return {"withdraw": True}`, "returned a bool; it must return money"},
		{"return withdraw_fixed(ctx)", "withdraw_fixed: give either rate, a fraction of the start value a year such as 0.04, or amount, money a year"},
		{"return withdraw_fixed(ctx, rate=0.04, amount=1)", "withdraw_fixed: give either rate"},
		{"return withdraw_fixed(ctx, 1.5)", "rate is 1.5: it must be a share of the start value from 0 to 1, such as 0.04"},
		{"return withdraw_fixed(ctx, amount=-1)", "amount is -1: it must be money, of 0 or more"},
		{"return withdraw_percentage(ctx, 4)", "rate is 4: it must be a yearly share of the value from 0 to 1, such as 0.04"},
		{"return withdraw_floor_ceiling(ctx, 0.04, 1.1, 0.9)", "floor is 1.1 and ceiling is 0.9: both are fractions of the first withdrawal, and floor may be at most ceiling"},
		{"return guyton_klinger(ctx, 0.04, guard=2)", "guard is 2: it must be a fraction of the first rate from 0 to 1, such as 0.2"},
		{"return guyton_klinger(ctx, 0.04, change=-1)", "change is -1: it must be a fraction from 0 to 1, such as 0.1"},
		{"return vpw(ctx, -0.5)", "rate is -0.5: it must be a yearly real return above -0.5 and of at most 1, such as 0.03"},
		{"return life_expectancy(ctx, 60)", "age is 60: the uniform lifetime table has the ages from 72 to 120; before 72, another rule such as vpw can be used"},
		{"return life_expectancy(ctx, 75.5)", "age is 75.5; it must be a whole number of years"},
		{"return ratchet(ctx, 0.04, raise_by=2)", "raise_by is 2: it must be a fraction from 0 to 1, such as 0.1"},
		{"return ratchet(ctx, 0.04, above=0)", "above is 0: it must be a multiple of the start value, such as 1.5"},
		{"return contribute(ctx, 1000, growth=-0.6)", "growth is -0.6: it must be a yearly rate above -0.5 and of at most 1, or None to rise with prices"},
		{`return flows(ctx, [{"from": 1}])`, "flow 1 has the key \"from\"; it may have first, last, amount and real"},
		{`return flows(ctx, [{"first": 1, "last": 2}])`, "flow 1 has no amount"},
		{`return flows(ctx, [{"first": 3, "last": 2, "amount": 1}])`, "flow 1 is from year 3 to year 2: years count from 1, and first is at most last"},
		{`return flows(ctx, [{"first": 0.5, "last": 2, "amount": 1}])`, "flow 1: first is 0.5; it must be a year of the plan, a whole number from 1"},
		{`return flows(ctx, [{"first": 1, "last": 2, "amount": 1, "real": 1}])`, "flow 1: real is a int; it must be True or False"},
		{"return flows(ctx, [3])", "flow 1 is a int; it must be a dictionary"},
		{"return flows(ctx, 3)", "list is a int; a list of dictionaries is needed"},
		{"return withdraw_fixed(3, 0.04)", "the context of simulate is needed"},
		{`return ctx.record("9", 1)`, `record: "9" is not a name: a letter, then up to 63 letters, digits, _, . and -`},
		{`return ctx.record("x", "y")`, `record: the value of x is "y"; it must be a finite number, True, False or None`},
		{"return len(ctx.returns(0))", "returns: n is 0; it must be a number of months from 1"},
		{"return sum([vpw(ctx) for i in range(65)])", "simulate calls more than 64 rules in a step"},
		{"return [1][ctx.step]", ""},
		{"return 1 / (ctx.value - ctx.value)", "division by zero"},
	})
	runs := make([]simulationRun, len(bodies))
	requests := make([]request, len(bodies))
	for i, b := range bodies {
		runs[i] = simulationRun{source: fmt.Sprintf(simulationHead, "yearly", "    ctx.inputs.rate\n    "+b.body), inputs: map[string]any{}}
		runs[i].execute(t, rand.New(rand.NewPCG(1, 2)), folder, fmt.Sprint("failing", i))
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

// TestSimulationCommandReportsErrors checks that every mistake gives one line and its exit code.
func TestSimulationCommandReportsErrors(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	run := simulationRun{source: fmt.Sprintf(simulationHead, "yearly", "    return ctx.inputs.rate"), inputs: map[string]any{}}
	run.execute(t, rand.New(rand.NewPCG(1, 2)), folder, "simulation")
	bars := []string{"--bars", run.request.Arguments[len(run.request.Arguments)-1]}
	short := save(t, folder, "short.csv", []byte(smallBars))
	apart := save(t, folder, "apart.csv", []byte("symbol,date,adj_close\nA,2020-01-30,1\nA,2020-03-31,1\nA,2020-04-15,1\nB,2020-03-31,1\nB,2020-04-30,2\n"))
	cases := []struct {
		arguments []string
		code      int
		message   string
	}{
		{nil, 2, `give either --bars FILE or --url BASE`},
		{append(bars, "--start-date", "2010-01-01"), 2, `unrecognized arguments: --start-date`},
		{append(bars, "--path", "x"), 2, `--path: invalid int value`},
		{append(bars, "--path", "120"), 2, `path is 120: the simulation has the paths 0 to 119`},
		{append(bars, "--input", "yers=3"), 2, `this simulation has no input yers; did you mean years\?; it has block, fee, inflation`},
		{append(bars, "--input", "years=201"), 2, `input years is 201; it must be an integer from 1 to 200`},
		{append(bars, "--input", "source=histroy"), 2, `input source is 'histroy'; did you mean history\?; it must be one of stationary, circular`},
		{append(bars, "--input", "weights=[1]"), 2, `weights has 1 numbers and universe has 2 members`},
		{append(bars, "--input", `weights=["a","b"]`), 2, `input weights has an element that is not a number`},
		{append(bars, "--input", "weights=[101,1]"), 2, `a weight is 101.0: it must be a number from -100 to 100`},
		{append(bars, "--input", "block=0.5"), 2, `block is 0.5: it must be a length from 1 to 1200 months, or 0`},
		{append(bars, "--input", "source=history", "--input", "years=30"), 2, `30 years are 360 months, and the members have \d+ in common, from \d+-\d+-\d+: history can be replayed for at most 7 years`},
		{append(bars, "--input", "paths=100000", "--input", "years=200"), 2, `at most 200000000 are computed: with 200 years, paths may be at most 83333`},
		{[]string{"--bars", short}, 2, `the members have 1 months in common, from 2024-01-31: a simulation needs at least 24`},
		{[]string{"--bars", apart}, 2, `the members have 1 months in common, from 2020-03-31`},
		{[]string{"--bars", save(t, folder, "never.csv", []byte("symbol,date,adj_close\nA,2020-01-30,1\nB,2020-03-31,1\nB,2020-04-30,2\n"))}, 1, `the members have no whole month in common: A from 2020-01-30 to 2020-01-30, B from 2020-03-31 to 2020-04-30`},
	}
	requests := make([]request, len(cases))
	for i, c := range cases {
		requests[i] = request{run.request.File, append([]string{}, c.arguments...)}
	}
	for i, a := range runAll(t, requests) {
		c := cases[i]
		if a.Code != c.code || a.Out != "" || strings.Count(a.Errors, "\n") != 1 || !strings.HasPrefix(a.Errors, "simulation.py: ") ||
			!regexp.MustCompile(c.message).MatchString(a.Errors) {
			t.Errorf("%v: ends with %d instead of %d: %s%s, want %q", c.arguments, a.Code, c.code, a.Out, a.Errors, c.message)
		}
	}
}

func TestSimulationCommandShowsHelpNumbersAndPath(t *testing.T) {
	t.Parallel()
	run := simulationRun{source: fmt.Sprintf(simulationHead, "yearly", "    return withdraw_fixed(ctx, ctx.inputs.rate)"), inputs: map[string]any{}}
	run.execute(t, rand.New(rand.NewPCG(1, 2)), t.TempDir(), "simulation")
	bars := []string{"--bars", run.request.Arguments[len(run.request.Arguments)-1]}
	answers := runAll(t, []request{
		{run.request.File, []string{"--help"}},
		{run.request.File, bars},
		{run.request.File, append(bars, "--path", "7", "--input", "years=1")},
	})
	for i, want := range [][]string{
		{"Simulates Plan.", "python3 simulation.py --bars prices.csv --path 0", "inputs of this simulation:", `paths            integer, 120`, `source           string, "stationary"`},
		{"Plan\n  120 paths of 4 years, source stationary\n", "Safe withdrawal rate", "fraction a year\n"},
		{"step,value,real_value,withdrawn\n0,1000000.0,1000000.0,\n1,", "\n12,"},
	} {
		for _, text := range want {
			if !strings.Contains(answers[i].Out, text) {
				t.Errorf("%q is not in %s%s", text, answers[i].Out, answers[i].Errors)
			}
		}
	}
}

// The inputs, the words of STEP and the attributes of ctx are those of the service.
func TestSimulationContract(t *testing.T) {
	t.Parallel()
	const program = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "runtime")
import pathcontext, plan, simulation
json.dump([simulation.INPUTS, list(plan.STEPS), sorted(n for n in dir(pathcontext.PathContext) if not n.startswith("_"))], sys.stdout)
`
	out, err := exec.CommandContext(t.Context(), interpreter(t), "-c", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]any{}
	for i := range simulation.Kind.Inputs {
		p := &simulation.Kind.Inputs[i]
		terms := map[string]any{"type": p.Type, "default": p.Default}
		if p.Minimum != nil {
			terms["minimum"], terms["maximum"] = *p.Minimum, *p.Maximum
		}
		if p.Enum != nil {
			terms["enum"] = p.Enum
		}
		if p.Format != "" {
			terms["format"] = p.Format
		}
		inputs[p.Name] = terms
	}
	text, err := json.Marshal([]any{inputs, simulation.Kind.Words[0].Accepted, simulation.Kind.Context})
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

// A simulation of usual size takes seconds, not minutes.
func TestSimulationIsQuick(t *testing.T) {
	t.Parallel()
	run := simulationRun{source: fmt.Sprintf(simulationHead, "yearly", "    return withdraw_fixed(ctx, ctx.inputs.rate)"), inputs: map[string]any{"years": 30.0, "paths": 1000.0}}
	run.execute(t, rand.New(rand.NewPCG(1, 2)), t.TempDir(), "simulation")
	a := runAll(t, []request{run.request})[0]
	if a.Code != 0 || a.Seconds > 6 { // a tenth of what 10,000 paths may take
		t.Errorf("ends with %d after %.2f s: %s", a.Code, a.Seconds, a.Errors)
	}
	t.Logf("1,000 paths of 30 years take %v of the processor", time.Duration(a.Seconds*float64(time.Second)))
}
