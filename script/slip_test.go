package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// slips are bodies of decide, which starts on line 5, with the expected problem:
// line:column, the start of the message, and → the suggestion. The place is that of the
// first character that must change.
var slips = []struct{ body, want string }{
	{"return {} if ctx.date is 'x' else None", `5:27 "is" is only for comparisons with None: write == → ==`},
	{"return {} if ctx.date is not ctx.date else None", `5:27 "is not" is only for comparisons with None: write != → !=`},
	{"if (n := 5) > 3:\n    return {}\nreturn None", `5:11 := is not part of the dialect`},
	{"x: int = 5\nreturn {}", "5:6 a type annotation"},
	{"def f(x) -> float:\n    return x\nreturn {}", "5:14 type annotations"},
	{"def f(x: float):\n    return x\nreturn {}", "5:12 a type annotation"},
	{"assert ctx.date\nreturn {}", `5:5 "assert" is not part of the dialect: return None`},
	{"match ctx.date:\n    case 'x':\n        return {}", `5:5 "match" is not part of the dialect: write if and elif`},
	{"print ctx.date\nreturn {}", `5:5 "print" is not part of the dialect: it is a function`},
	{"del x['a']\nreturn {}", `5:5 "del" is not part of the dialect: use d.pop(key)`},
	{"try:\n    return {}\nexcept Exception:\n    return None", `5:5 "try" is not part of the dialect`},
	{"if ctx.date > '2020'\n    return {}\nreturn None", "5:25 a colon is missing: if … ends with :"},
	{"if ctx.date > '2020'   # a comment\n    return {}\nreturn None", "5:25 a colon is missing"},
	{"def f(x) return x\nreturn {}", "5:14 a colon is missing"},
	{"if ctx.date:\nreturn {}", "6:5 nothing is indented"},
	{"x = 1\n  y = 2\nreturn {}", "6:7 more indentation"},
	{"if ctx.date:\n    x = 1\n  y = 2\nreturn {}", "7:7 this indentation does not match"},
	{"x = [1, 2\nreturn {}", "5:9 [ is never closed"},
	{"return top({'SPY': [1, (2, 3]}", "5:33 ] does not match ( on line 5"},
	{"return {'SPY': 0.5", "5:12 { is never closed"},
	{"x = {\n    'a': 1,\n    'b': (2,\n}\nreturn x", "8:5 } does not match ( on line 7"},
	{"return {'SPY' 0.5}", "5:19 a number, where a colon between key and value is expected"},
	{"return {'SPY', 'AGG'}", "5:18 a dictionary holds key: value"},
	{"x = [1 2]\nreturn {}", "5:12 a number, where a comma or the end of [ is expected"},
	{"x = ['a' 'b']\nreturn {}", "5:14 two adjacent strings"},
	{"x = 5 5\nreturn {}", "5:11 a number, where the statement should end"},
	{"return {'SPY': 50%}", `5:23 "}", where a value is expected`},
	{"x = 'abc\nreturn {}", "5:9 the string does not end on its line"},
	{"x = ''' abc\nreturn {}", "5:9 the string that starts here does not end"},
	{"if ctx.date = 'x':\n    return {}\nreturn None", "5:17 = assigns: compare with == → =="},
	{"x = y = 0\nreturn {}", "5:11 = is used twice in one statement"},
	{"if True:\n    return {}\nelse if True:\n    return None", "7:5 write elif instead of else if → elif"},
	{"return [a for a in [] if a else 1]", "5:32 else must come before for"},
	{"for s in []:\n    pass\nelse:\n    pass\nreturn {}", "7:5 else without an if before it"},
	{"return {} if !True else None", "5:18 ! is not an operator: write not x → not"},
	{"return {} if True && False else None", "5:23 && is not an operator: write and → and"},
	{"return {} if True || False else None", "5:23 || is not an operator: write or → or"},
	{"x = 1 <> 2\nreturn {}", "5:11 <> is not an operator: write != → !="},
	{"x = 0\nx++\nreturn {}", "6:6 ++ is not an operator: write x += 1"},
	{"x = True ? 1 : 2\nreturn {}", "5:14 ? is not an operator"},
	{"x = “SPY”\nreturn {}", "5:9 “ (U+201C) is not a character in Python: write \" → \""},
	{"x = 5 − 3\nreturn {}", "5:11 − (U+2212) is not a character in Python: write - → -"},
	{"x =\u00a05\nreturn {}", "5:8 the character U+00A0"},
	{"x = 1_000\nreturn {}", "5:9 the dialect does not allow _ in numbers: write 1000 → 1000"},
	{"x = 0777\nreturn {}", "5:9 a number cannot start with 0: write 777"},
	{"x = 5j\nreturn {}", "5:9 5j is not a number in the dialect"},
	{"x = b'abc'\nreturn {}", "5:9 bytes are not part of the dialect: leave out the b"},
	{"return {'SPY': 2 ** 0.5}", "5:22 ** is not part of the dialect: write pow(x, y)"},
	{"return {**{}, 'SPY': 1}", "5:13 ** in a dictionary is not part of the dialect: write a | b"},
	{"return {'SPY': [*[1], 2][0]}", "5:21 * before a name is part of the dialect only in calls"},
	{"return {} if 0 < 1 < 2 else None", "5:24 comparisons cannot be chained"},
	{"x = 5 if True\nreturn {}", "5:11 a if condition needs else b"},
	{"return {'SPY': sum(x for x in [1])}", "5:26 generator expressions are not part of the dialect: put [ ] around it"},
	{"x = {s for s in ctx.universe}\nreturn {}", "5:12 set comprehensions"},
	{"def f(a, /):\n    return a\nreturn {}", "5:15 the name of a parameter is expected"},
	{"def f(n):\n    return f(n - 1)\nreturn f(3)", "6:16 recursion is not part of the dialect, and f calls f"},
	{"def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\nreturn f(3)", "8:16 recursion is not part of the dialect, and f calls g calls f"},
	{"ctx.universe = []\nreturn {}", "5:9 attributes cannot be assigned"},
	{"return {'SPY': ctx.prices['SPY'][-1]}", "5:30 prices is a function: call it with ( )"},
	{"return {'SPY': ctx.date.year}", "5:29 no value here has an attribute year: dates are strings"},
	{"return {'SPY': ctx.close('SPY')}", "5:24 the context has no close → prices"},
	{"return {SPY: 1}", `5:13 SPY is not defined, and a symbol is a string: write "SPY" → "SPY"`},
	{nested(21), "25:85 more than 20 nested loops"},
}

func TestSlips(t *testing.T) {
	t.Parallel()
	for _, c := range slips {
		t.Run(c.body, func(t *testing.T) {
			t.Parallel()
			_, found := Check(model("def decide(ctx):", "    "+strings.ReplaceAll(c.body, "\n", "\n    ")), nil)
			if len(found) != 1 {
				t.Fatalf("%d problems: %v", len(found), found)
			}
			got := placeText(found[0]) + " " + found[0].Message
			want, suggestion, _ := strings.Cut(c.want, " → ")
			if !strings.HasPrefix(got, want) || found[0].Suggestion != suggestion {
				t.Errorf("%s → %s\nwant %s", got, found[0].Suggestion, c.want)
			}
		})
	}
}

// nested returns n nested loops.
func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("    ", i) + "for i in []:\n")
	}
	return b.String() + strings.Repeat("    ", n) + "pass"
}

// TestProblemsOfOneFunctionAreReportedTogether checks that a mistake on one line of a
// function does not hide those on other lines, and is reported only once.
func TestProblemsOfOneFunctionAreReportedTogether(t *testing.T) {
	t.Parallel()
	_, found := Check(model("import math", "def decide(ctx):",
		"    x = 2 ** 3",
		"    if ctx.date = 'x':",
		"        y = ctx.pirces('SPY')",
		"    try:",
		"        z = [s for s in ctx.universe",
		"             if s is 'SPY']",
		"    except KeyError:",
		"        z = 5 && 3",
		"    math.sqr(x)",
		"    return {'SPY': x, 'AGG': y + z}"), nil)
	var got []string
	for _, p := range found {
		got = append(got, placeText(p)+" "+p.Text)
	}
	want := []string{
		"6:11 x = 2 ** 3", "7:17 if ctx.date = 'x':", "8:17 pirces", "9:5 try:", "11:19 is", "13:15 z = 5 && 3", "14:10 sqr",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s\n%v", d, found)
	}
}

func TestImportsThatBreakOff(t *testing.T) {
	t.Parallel()
	decide := "def decide(ctx):\n    return equal_weight(top({}, 1))\n"
	for _, c := range []struct{ imports, want string }{
		{"from harness import (top, equal_weight\n", "1:21 ( is never closed"},
		{"from harness import (top,\n    equal_weight\n", "1:21 ( is never closed"},
		{"from harness import top equal_weight\n", "1:25 a comma is missing before equal_weight"},
		{"from harness import topp, equal_weight\n", "1:21 the harness has no topp"},
		{"from harness import *\n", "1:21 import each name that the script uses, not *"},
	} {
		t.Run(c.imports, func(t *testing.T) {
			t.Parallel()
			_, found := Check(c.imports+model(decide), nil)
			if len(found) != 1 || placeText(found[0])+" "+found[0].Message != c.want {
				t.Fatal(found)
			}
			if strings.Contains(c.imports, "*") && found[0].Suggestion != "from harness import equal_weight, top" {
				t.Error(found[0].Suggestion)
			}
		})
	}
}

// TestConstantsThatAreMeant checks that a slip in a constant is one problem, with a
// suggestion of what was probably meant.
func TestConstantsThatAreMeant(t *testing.T) {
	t.Parallel()
	const script = `NAME = "Test"
SCHEDULE = "monthly"
YEAR = 252
INPUTS = {"universe": {"type": "array", "default": ["SPY"]}, "n": {"type": "integer", "default": 1}}
def decide(ctx):
    return {s: 0.1 * ctx.inputs.n for s in ctx.inputs.universe}
`
	mustCheck(t, script)
	for _, c := range []struct{ from, to, want string }{
		{`"monthly"`, `"annually"`, `2:12 SCHEDULE is "annually" → yearly`},
		{`"monthly"`, `monthly`, `2:12 SCHEDULE: monthly is a name: write the value itself → "monthly"`},
		{`"monthly"`, `{"freq": "monthly"}`, `2:13 SCHEDULE has no key "freq" → every`},
		{`"monthly"`, `{"every": "monthly", "session": 1.0}`, `2:44 SCHEDULE session is 1.0: it must be an integer, 1 for the first of the period, -1 for the last → `},
		{`YEAR = 252`, `FILL = "open"`, `3:8 FILL is "open" → next_close`},
		{`YEAR = 252`, `START = "first"`, `3:9 START is "first" → first_member`},
		{`YEAR = 252`, `START = "2010-01-01"`, `3:9 START is "2010-01-01": the date on which a run begins to trade is its input start_date → `},
		{`INPUTS =`, `INPUT =`, "4:1 INPUT is not a constant of the contract, and INPUTS is not set → INPUTS"},
		{`"default": 1}`, `"defalt": 1}`, `4:87 input n has the key "defalt", which is not known → default`},
		{`"integer"`, `"int"`, `4:76 type of input n is "int" → integer`},
		{`"integer"`, `int`, `4:76 INPUTS: int is a name: write the value itself → "integer"`},
		{`"default": 1}`, `"default": YEAR}`, "4:98 INPUTS: YEAR is a name: write the value itself → 252"},
		{`"default": 1}`, `"default": 12 * 21}`, "4:98 INPUTS: the value is computed, but constants are read without running the script: write a literal → 252"},
		{`"default": 1}`, `"default": 1, "min": 0}`, `4:101 input n has the key "min", which is not known → minimum`},
	} {
		t.Run(c.to, func(t *testing.T) {
			t.Parallel()
			_, found := Check(strings.Replace(script, c.from, c.to, 1), nil)
			if len(found) != 1 || placeText(found[0])+" "+found[0].Message+" → "+found[0].Suggestion != c.want {
				t.Errorf("%v\n%+v", found, found)
			}
		})
	}
}
