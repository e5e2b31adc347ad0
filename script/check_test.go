package script

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/script/dialect"
)

const regional = `"""Momentum across regions, bonds when nothing rises."""
from harness import momentum, top, equal_weight

NAME = "Regional momentum"
SYMBOL = "RMOM"
SCHEDULE = "monthly"        # daily, weekly, monthly, quarterly, yearly
FILL = "close"              # or "next_close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "AGG"], "title": "Universe"},
    "lookback": {"type": "integer", "default": 252, "minimum": 21, "maximum": 756,
                 "title": "Lookback", "role": "primary", "unit": "sessions", "order": 1},
    "hold": {"type": "integer", "default": 2, "minimum": 1, "maximum": 10, "title": "Holdings", "role": "primary"},
}

def decide(ctx):
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback)) for s in ctx.universe
              if ctx.sessions(s) > ctx.inputs.lookback}
    ctx.record("breadth", len([s for s in scores.values() if s > 0]))
    winners = [s for s in top(scores, ctx.inputs.hold) if scores[s] > 0]
    return equal_weight(winners)          # the rest is CASH
`

// model returns a script with valid constants followed by the given lines.
func model(lines ...string) string {
	return `NAME = "Test"
SCHEDULE = "monthly"
INPUTS = {"universe": {"type": "array", "default": ["SPY", "AGG"]}}
` + strings.Join(lines, "\n") + "\n"
}

func mustCheck(t testing.TB, text string) *Script {
	t.Helper()
	p, found := Check(text, nil)
	if len(found) > 0 {
		t.Fatalf("problems: %v", found)
	}
	return p
}

func TestCheckReadsTheContract(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, regional)
	got := []any{p.Name, p.Symbol, p.Description, p.Schedule, p.Fill, p.Start, p.Universe, len(p.Hash)}
	want := []any{
		"Regional momentum", "RMOM", "Momentum across regions, bonds when nothing rises.",
		backtest.Schedule{Every: "monthly", Session: -1}, backtest.FillClose, backtest.StartAllMembers,
		[]string{"SPY", "EFA", "EEM", "AGG"}, 64,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	schema, err := json.Marshal(p.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	wantSchema := `{"type":"object","properties":{` +
		`"universe":{"type":"array","title":"Universe","default":["SPY","EFA","EEM","AGG"]},` +
		`"lookback":{"type":"integer","title":"Lookback","default":252,"minimum":21,"maximum":756,"role":"primary","unit":"sessions","order":1},` +
		`"hold":{"type":"integer","title":"Holdings","default":2,"minimum":1,"maximum":10,"role":"primary"},` +
		`"start_date":{"type":"string","title":"Start date","description":"Nothing is traded before it; earlier prices still feed lookbacks. Empty means the full history. A run with a start date is a snapshot.","default":null,"format":"date","role":"advanced"},` +
		`"initial_cash":{"type":"number","title":"Initial cash","description":"The money that the model starts with.","default":10000,"minimum":1000,"role":"advanced","unit":"usd"}},` +
		`"additionalProperties":false}`
	if d := cmp.Diff(wantSchema, string(schema)); d != "" {
		t.Error(d)
	}
}

// accepted are scripts that use what the dialect adds to the interpreter.
func accepted() map[string]string {
	return map[string]string{
		"an import over lines": model("from harness import (", "    momentum,  # the return", "    top as best,", ")", "import math as m",
			"def decide(ctx):", "    return {s: m.sqrt(1 + momentum([1, 2])) for s in best({}, 1)}"),
		"an import with a backslash":          model("from harness import momentum, \\", "    top", "def decide(ctx):", "    return None if momentum else top"),
		"is None, is not None":                model("def decide(ctx):", "    if ctx.last_decision is None and ctx is not None:", "        return {}", "    return None"),
		"u-strings, a while, a lambda":        model(`A = u"x"`, "def decide(ctx):", "    n = 3", "    while n > 0:", "        n -= 1", "    return (lambda: None)()"),
		"import words in strings":             model(`X = """`, "import os", "from time import time", `"""`, "def decide(ctx): # import os", "    return None"),
		"the legacy universe":                 "NAME = 'x'\nSCHEDULE = {'every': 'weekly', 'weekday': 'wed'}\nUNIVERSE = ['SPY'] + ['AGG']\ndef decide(ctx):\n    return None\n",
		"Windows line ends":                   strings.ReplaceAll(model("import math", "def decide(ctx):", "    return None"), "\n", "\r\n"),
		"a byte order mark, no last line end": "\ufeff" + strings.TrimSpace(model("def decide(ctx):", "    return None")),
		"sum, round, pow":                     model("def decide(ctx):", "    return {'SPY': round(sum([0.1, 0.2]), 2) * pow(2, 0)}"),
		"a session of the period":             strings.Replace(model("def decide(ctx):", "    return None"), `"monthly"`, `{"every": "monthly", "session": 1}`, 1),
		"seeded chance, a name of the harness's for something else": model("from harness import random", "def pick(top, sma):", "    return top(sma, 1, x=2)", "def decide(ctx):",
			"    return {'SPY': random(ctx.date).first(), 'AGG': pick(lambda a, b, x: random(seed=x, n=a).last(), 3)}"),
		"an import that closes its line": model("import math; X = 1", "def decide(ctx):", "    return math.floor(X)"),
	}
}

func TestCheckAccepts(t *testing.T) {
	t.Parallel()
	for name, text := range accepted() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustCheck(t, text)
		})
	}
}

// TestAcceptedScriptsArePython checks that CPython parses the accepted scripts.
func TestAcceptedScriptsArePython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on the PATH")
	}
	texts := accepted()
	texts["the contract's own example"], texts["a busy one"] = regional, busy
	for i, text := range recipes(t) {
		texts[fmt.Sprintf("recipe %d of the page", i+1)] = text
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := exec.CommandContext(t.Context(), python, "-c", "import ast, sys; ast.parse(sys.stdin.buffer.read())")
			c.Stdin = strings.NewReader(text)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

type stub map[string]Unresolved

func (s stub) Resolve(string, []string) map[string]Unresolved { return s }

func (s stub) Taken(string) string { return "" }

func (s stub) ResolveSeries([]string) map[string]Unresolved { return s }

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	const decide = "def decide(ctx):\n    return None\n"
	for _, c := range []struct {
		name, text string
		want       []string // rule line:column text suggestion
	}{
		{"nothing at all", "", []string{"constant_missing 1:1 NAME", "constant_missing 1:1 SCHEDULE", "universe 1:1", "entry_point 1:1"}},
		{"a misspelt schedule", "NAME = 'x'\nSCHEDUL = 'monthly'\nUNIVERSE = ['SPY']\n" + decide, []string{"constant_missing 2:1 SCHEDUL → SCHEDULE"}},
		{"a misspelt optional constant", model("SYMBL = 'X'", decide), []string{"constant_invalid 4:1 SYMBL → SYMBOL"}},
		{"an unknown word", strings.Replace(model(decide), "monthly", "montly", 1), []string{"constant_invalid 2:12 montly → monthly"}},
		{"a computed constant", strings.Replace(model(decide), `"Test"`, `"Te" + str(1)`, 1), []string{"constant_invalid 1:15"}},
		{"a symbol in small letters", model("SYMBOL = 'abc'", decide), []string{"constant_invalid 4:10 → ABC"}},
		{"schedule keys", strings.Replace(model(decide), `"monthly"`, `{"evry": "monthly", "session": 0}`, 1), []string{"constant_invalid 2:13 evry → every", "constant_invalid 2:43 0"}},
		{"a whole weekday", strings.Replace(model(decide), `"monthly"`, `{"every": "weekly", "weekday": "Wednesday"}`, 1), []string{"constant_invalid 2:43 Wednesday → wed"}},
		{"imports", model("import os", "import numpy as np, math", "from time import sleep", "from harness import momentun", "from harness import *", "from math import sqrt", "import maths", "def decide(ctx):", "    import random", "    return np.sum(sleep(momentun))"), []string{
			"import_not_allowed 4:8 os", "import_not_allowed 5:8 numpy", "nondeterministic 6:6 time", "harness_name 7:21 momentun → momentum",
			"import_not_allowed 8:21 *", "import_not_allowed 9:6 math", "import_not_allowed 10:8 maths → math", "import_not_allowed 12:5", "nondeterministic 12:12 random",
		}},
		{"a name that is not imported", model("def decide(ctx):", "    return momentum(ctx.prices('SPY', 2))"), []string{"harness_name 5:12 momentum → from harness import momentum"}},
		{"misspelt names", model("def decide(ctx):", "    scores = {}", "    return scoers"), []string{"syntax 6:12 scoers → scores"}},
		{"clocks and files", model("def decide(ctx):", "    open('x')", "    eval('x')", "    hash('x')", "    return datetime.now()"), []string{
			"nondeterministic 5:5 open", "nondeterministic 6:5 eval", "nondeterministic 7:5 hash", "nondeterministic 8:12 datetime",
		}},
		{"names of the context", model("def decide(ctx):", "    x = [ctx.pricse(s, 3) for s in ctx.universe]", "    return {'SPY': ctx.inputs.lokback}"), []string{"harness_name 5:14 pricse → prices", "inputs 6:31 lokback"}},
		{"names of math", model("import math", "def decide(ctx):", "    return math.sqr(4)"), []string{"harness_name 6:17 sqr → sqrt"}},
		{"calls of the harness", model("from harness import momentum, sma as average, vol_target", "def decide(ctx):", "    a = [momentum(ctx.prices('SPY', 9), skp=1), average(), average([1], 2, 3), momentum([1, 2], prices=[1])]",
			"    return vol_target(max_gros=2, *a)"), []string{
			"harness_name 6:41 skp → skip", "harness_name 6:49 sma", "harness_name 6:76 sma", "harness_name 6:97 prices", "harness_name 7:23 max_gros → max_gross",
		}},
		{"calls of the context", model("def decide(ctx):", "    ctx.record('x')", "    return ctx.prices('SPY', window=5, m=3)[ctx.sessions('SPY', 1)]"), []string{
			"harness_name 5:5 record", "harness_name 6:30 window", "harness_name 6:40 m", "harness_name 6:65 sessions",
		}},
		{"an attribute of a function", model("from harness import random", "def decide(ctx):", "    return random.choice([1])"), []string{"harness_name 6:19 choice"}},
		{"chance without its import", model("def decide(ctx):", "    return random.choice([1])"), []string{"harness_name 5:12 random → from harness import random"}},
		{"Python's chance", model("from random import random", "import random as r", "def decide(ctx):", "    return random() + r.random()"), []string{"nondeterministic 4:6 random", "nondeterministic 5:8 random"}},
		{"no entry point, a near one", model("def decid(ctx):", "    return None"), []string{"entry_point 4:5 decid → decide"}},
		{"two parameters", model("def decide(ctx, more):", "    return None"), []string{"entry_point 4:5 decide"}},
		{"two syntax errors and a missing import", model("X = = 1", "def f():", "    return f'{X}' if", "def decide(ctx):", "    return top({}, 1)"), []string{"syntax 4:5 X = = 1", "syntax 6:12 f", "syntax 6:21 return f'{X}' if", "harness_name 8:12 top → from harness import top"}},
		{"classes, power, chains", model("class A:", "    pass", "X = 2 ** 3", "def decide(ctx):", "    return 0 < X < 1"), []string{"syntax 4:1 class A:", "syntax 6:7 X = 2 ** 3", "syntax 8:18 return 0 < X < 1"}},
		{"control flow at top level, a constant twice", model("for i in []:", "    pass", "NAME = 'again'", decide), []string{"syntax 4:1", "syntax 6:1"}},
		{"inputs", strings.Replace(model(decide), `]}}`, `]}, "a": {"type": "int", "default": 1}, "b": {"type": "integer", "default": 1.5}, "c": {"type": "number", "defalt": 3}, "start_date": {"type": "string", "default": None}, "d": {"type": "number", "default": 5, "maximum": 4}, "e": {"type": "string", "default": "x", "enum": ["y"], "role": "main"}}`, 1), []string{
			"inputs 3:83 int → integer", "inputs 3:141 1.5", "inputs 3:171 defalt → default", "inputs 3:185 start_date",
			"inputs 3:271 5", "inputs 3:352 main → primary",
		}},
		{"an empty universe", strings.Replace(model(decide), `["SPY", "AGG"]`, `[]`, 1), []string{"universe 3:52"}},
		{"odd members", strings.Replace(model(decide), `["SPY", "AGG"]`, `["SPY", "SPY", "cash", 3, " x"]`, 1), []string{"universe 3:60 SPY", "universe 3:67 cash", "universe 3:75", "universe 3:78  x"}},
		{"too large", strings.Repeat("#", MaxSource+1), []string{"too_large 1:1"}},
		{"not text", "NAME = 'x'\n\xff", []string{"syntax 2:1"}},
		{"an open string", model(`X = "abc`, decide), []string{"syntax 4:5 X = \"abc"}},
		{"an open bracket", model("X = (1,", decide), []string{"syntax 4:5 X = (1,"}},
		{"fail is not Python", model("def decide(ctx):", "    fail('x')"), []string{"syntax 5:5 fail"}},
		{"bound twice", model("from harness import top", "def top(x):", "    return x", decide), []string{"syntax 5:5 top"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, found := Check(c.text, nil)
			if p != nil {
				t.Fatal("a script was returned in spite of the problems")
			}
			var got []string
			for _, x := range found {
				s := strings.TrimSpace(x.Rule + " " + placeText(x) + " " + x.Text)
				if x.Text != "" && strings.HasPrefix(x.Text, " ") {
					s = x.Rule + " " + placeText(x) + " " + x.Text
				}
				if x.Suggestion != "" {
					s += " → " + x.Suggestion
				}
				got = append(got, s)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s\n%v", d, found)
			}
		})
	}
}

// TestCallsAreToldWhatIsTaken checks that the message about a wrong call shows the
// signature of the function.
func TestCallsAreToldWhatIsTaken(t *testing.T) {
	t.Parallel()
	_, found := Check(model("from harness import momentum", "def decide(ctx):", "    return momentum(1, skp=1) or momentum(1, 2, 3) or momentum()"), nil)
	want := []dialect.Problem{
		{Rule: dialect.RuleHarnessName, Line: 6, Column: 24, Text: "skp", Accepted: []string{"prices", "skip"}, Suggestion: "skip",
			Message: "momentum has no parameter skp: momentum(prices, skip=0)"},
		{Rule: dialect.RuleHarnessName, Line: 6, Column: 49, Text: "momentum", Accepted: []string{"momentum(prices, skip=0)"},
			Message: "momentum takes at most 2 arguments: momentum(prices, skip=0)"},
		{Rule: dialect.RuleHarnessName, Line: 6, Column: 55, Text: "momentum", Accepted: []string{"momentum(prices, skip=0)"},
			Message: "momentum needs prices: momentum(prices, skip=0)"},
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
}

func placeText(p dialect.Problem) string { return strings.SplitN(p.String(), ": ", 2)[0] }

func TestCheckResolvesMembersAtOnce(t *testing.T) {
	t.Parallel()
	text := strings.Replace(regional, `"SPY"`, `"SPYY"`, 1)
	_, found := Check(text, stub{"SPYY": {Suggestion: "SPY"}, "AGG": {Message: "AGG would hold itself"}})
	want := []dialect.Problem{
		{Rule: dialect.RuleUniverse, Line: 10, Column: 47, Text: "SPYY", Suggestion: "SPY", Message: `"SPYY" is neither an asset nor one of your models`},
		{Rule: dialect.RuleUniverse, Line: 10, Column: 69, Text: "AGG", Message: "AGG would hold itself"},
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(regional)
	for _, s := range []string{
		"", "from harness import (", "import", "from", "import a.b as", "x = \"\"\"", "X = 'a\\\n'", "def decide(ctx):\n import os\n", "is None", "a is not None",
		"\\", "from harness import momentum;import math;X=1", "f'{x}'", "(((((", "class\n", "\tx", "INPUTS = {'a': {'type': 'array', 'default': [1, 'x']}}", "é = 1; import é",
		"NAME = -'x'\nSCHEDULE = {'every': []}\nUNIVERSE = 3\n", "load('x', 'y')",
	} {
		f.Add(model(s))
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, found := Check(text, stub{"SPY": {}})
		if (p == nil) == (len(found) == 0) {
			t.Fatalf("program %v with %d problems", p != nil, len(found))
		}
		lines := strings.Split(dialect.PlainText(text), "\n")
		for _, x := range found {
			if x.Rule == dialect.RuleTooLarge {
				continue
			}
			if x.Line < 1 || x.Line > len(lines) || x.Column < 1 || x.Column > len([]rune(lines[x.Line-1]))+1 {
				t.Fatalf("%v is outside the script", x)
			}
		}
		if p != nil {
			if _, details := p.Bind(nil); len(details) > 0 {
				t.Fatalf("defaults do not bind: %v", details)
			}
		}
	})
}
