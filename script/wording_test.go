package script

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// raw matches the interpreter's own terms, which the author of a script should never see.
var raw = regexp.MustCompile(`not implemented|unknown (binary|unary) op|NoneType|unhashable|\bwant\b|field or method|out of range|referenced before|to unpack|builtin_function|invalid call|positional argument|is not iterable|hash table|Starlark|computation|internal`)

// mistakes are lines that beginners write in decide, with the expected messages.
var mistakes = []struct{ code, want string }{
	{`return ctx.prices("SPY", 5) > 0`, "> cannot compare a vector with an integer: compare one of its values, as in v[-1] > 0"},
	{`return 1.5 <= ctx.returns("SPY", 2)`, "<= cannot compare a number with a vector"},
	{`return ctx.prices("SPY", 5) < ctx.prices("SPY", 5)`, "vectors cannot be compared with each other"},
	{`return ctx.inputs.note > 1`, "> cannot compare None with an integer: the value is missing; test it first with is not None"},
	{`return "5" > 1`, "> cannot compare a string with an integer: float(x) converts a string to a number"},
	{`return [1] > 1`, "> cannot compare a list with an integer"},
	{`return {} < {}`, "< cannot compare a dictionary with a dictionary"},
	{`return ctx.prices > 1`, "> cannot compare a function with an integer: call the function"},
	{`return sorted([1, "a"])`, "cannot compare a string with an integer"},
	{`return max([None, 1.0])`, "is missing"},
	{`return 1 + "a"`, "+ cannot combine an integer and a string: str(x) converts a value to a string"},
	{`return "a" + 1.5`, "+ cannot combine a string and a number"},
	{`return "a" * 1.5`, "* cannot combine a string and a number"},
	{`return [1, 2] * 0.5`, "* cannot combine a list and a number: write it for each element"},
	{`return [1, 2] / 2`, "/ cannot combine a list and an integer: write it for each element"},
	{`return {"a": 1} + {"b": 2}`, "write a | b"},
	{`return {"a": 1} * 2`, "write it for each entry"},
	{`return None * 2`, "* cannot combine None and an integer: the value is missing"},
	{`return ctx.prices * 2`, "call the function, with ( ) after its name"},
	{`return -"a"`, "- cannot be applied to a string"},
	{`return 1 in 5`, "in cannot search an integer"},
	{`return 1 in "abc"`, "in can search a string only for another string, not for an integer"},
	{`return ctx.universe.keys()`, "a list has no keys"},
	{`return "abc".items()`, "a string has no items"},
	{`return {"a": 1}.mean()`, "a dictionary has no mean: an entry is read with d[key] or d.get(key)"},
	{`return ctx.inputs.note.upper()`, "None has no upper: the value is missing"},
	{`return {"a": 1}["b"]`, `the dictionary has no key "b": read it with d.get(key, default)`},
	{`return [1, 2][5]`, "the list has no element 5: its indices run from -2 to 1"},
	{`return [][0]`, "the list is empty"},
	{`return ctx.prices("SPY", 0)[-1]`, "the vector is empty"},
	{`return ctx.prices("SPY", 2)[-3]`, "the vector has no element -3: its indices run from -1 to 0"},
	{`return [1, 2]["a"]`, "the index of a list is a string: it must be an integer"},
	{`return [1, 2][1.0]`, "the index of a list is a number: it must be an integer; int(x) converts a number"},
	{`return (5)[0]`, "an integer cannot be indexed with [ ]"},
	{`return (1.5)[0:1]`, "a number cannot be sliced"},
	{`return [1, 2][0.5:]`, "the start index of a slice is a number"},
	{`return [1, 2][::0]`, "the step of a slice is 0"},
	{`return 1 / 0`, "division by zero: test the divisor first"},
	{`return 1.0 // 0`, "division by zero"},
	{`return 1 % 0`, "division by zero"},
	{`return {[1]: 2}`, "a list cannot be the key of a dictionary"},
	{`return {{}: 2}`, "a dictionary cannot be the key of a dictionary"},
	{`return set([[1]])`, "a list cannot be the key of a dictionary or an element of a set"},
	{"if False:\n        x = 1\n    return x", "x is read before it has a value: the function assigns it on another line"},
	{`a, b = [1, 2, 3]`, "the left of = has 2 names and the right 3 values"},
	{`a, b, c = (1, 2)`, "the left of = has 3 names and the right 2 values"},
	{`a, b = 5`, "an integer on the right of = cannot be unpacked"},
	{`return (5)()`, "an integer cannot be called like a function"},
	{`return ctx.universe()`, "a list cannot be called like a function"},
	{`return helper()`, "helper needs a"},
	{`return helper(1, 2, 3)`, "helper takes at most 2 arguments but got 3"},
	{`return helper(1, c=2)`, "helper has no parameter c"},
	{`return helper(1, a=2)`, "helper got its parameter a twice"},
	{`return nothing(1)`, "nothing takes no arguments but got 1"},
	{"for x in 5:\n        pass", "an integer, which cannot be iterated over: write range(n) to count"},
	{"for x in None:\n        pass", "None, which cannot be iterated over"},
	{"for x in \"abc\":\n        pass", "a string, which cannot be iterated over"},
	{`return sorted(5)`, "sorted: "},
	{`return len(5)`, "len: an integer has no length"},
	{`return zip([1], 5)`, "zip: argument 2 is an integer"},
	{`return float("abc")`, `float: "abc" is not a number`},
	{`return float(None)`, "float: None is not a number"},
	{`return int("1.5")`, `int: "1.5" is not an integer`},
	{`return int([1])`, "int: "},
	{`return abs("a")`, "abs: "},
	{`return ",".join([1])`, "join: the list contains an integer, but join takes strings"},
	{`return LIST.append(2)`, "a copy, list(x) or dict(x)"},
	{"x = [1]\n    for y in x:\n        x.append(1)", "a loop cannot change what it iterates over"},
	{"d = {1: 1}\n    for y in d:\n        d[2] = 1", "a loop cannot change what it iterates over"},
	{`return {}.pop("a")`, "pop: the dictionary has no such key"},
	{`return [1].remove(2)`, "remove: the list has no such element"},
	{`return dict([1])`, "dict: element 0 is an integer"},
	{`return dict(1, 2)`, "dict: takes at most 1 argument but got 2"},
	{`"abc"[0] = "x"`, "the elements of a string cannot be changed"},
	{`return helper(*5)`, "* spreads a list, not an integer"},
	{`return min()`, "min: needs a list, or several values"},
	{`return range("a")`, "range: "},
	{`return enumerate(5)`, "enumerate: "},
	{`return 2 << 1000`, "the shift must be from 0 to 511 bits"},
	{`return "{} {}".format(1)`, "format: "},
	{`return "%d" % "a"`, "%d writes"},
	{`return 5`, "decide returned"},
	{`return {"SPY": "half"}`, "the weight of SPY is a string"},
}

// TestMistakesAreToldInWords checks that the message about each mistake uses common terms,
// names the line, and never has the interpreter's own terms.
func TestMistakesAreToldInWords(t *testing.T) {
	t.Parallel()
	for _, m := range mistakes {
		t.Run(m.code, func(t *testing.T) {
			t.Parallel()
			_, _, err := execute(t, daily+"LIST = [1]\ndef helper(a, b=1):\n    return a\n\ndef nothing():\n    return 1\n\ndef decide(ctx):\n    "+m.code+"\n", nil, RunnerLimits{})
			if err == nil {
				t.Fatal("no error")
			}
			e := AsRunError(err)
			if e.Type != ScriptError || e.Line < 6 {
				t.Errorf("%s on line %d", e.Type, e.Line)
			}
			if !strings.Contains(e.Message, m.want) || raw.MatchString(e.Message) {
				t.Errorf("%q\n    want %q", e.Message, m.want)
			}
			if !strings.HasSuffix(e.Traceback, e.Message) {
				t.Errorf("traceback %q", e.Traceback)
			}
		})
	}
}

// indented are scripts whose blocks or names the checks refuse, with the expected messages.
var indented = []struct{ name, code, want string }{
	{"tabs and spaces", "def decide(ctx):\n    if ctx.cash:\n\treturn {}\n", "tab"},
	{"no indentation", "def decide(ctx):\nreturn {}\n", "indented"},
	{"too much", "def decide(ctx):\n    x = 1\n      y = 2\n", "indentation"},
	{"too little", "def decide(ctx):\n    if ctx.cash:\n        x = 1\n      y = 2\n", "indentation"},
	{"tabs, then spaces", "def decide(ctx):\n\tx = 1\n    return {}\n", "tabs on line 6 and spaces on line 7"},
	{"a block of tabs, then of spaces", "def decide(ctx):\n\tif ctx.cash:\n        return {}\n", "tabs on line 6 and spaces on line 7"},
	{"spaces, then tabs", "def decide(ctx):\n          if ctx.cash:\n\treturn {}\n", "spaces on line 6 and tabs on line 7"},
	{"no colon", "def decide(ctx)\n    return {}\n", "colon"},
}

// TestIndentationIsToldInWords checks the messages about indentation.
func TestIndentationIsToldInWords(t *testing.T) {
	t.Parallel()
	for _, c := range indented {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, found := Check(daily+c.code, nil)
			if len(found) == 0 || !strings.Contains(found[0].Message, c.want) || raw.MatchString(found[0].Message) {
				t.Errorf("%v", found)
			}
			for _, p := range found {
				fmt.Fprintln(t.Output(), p)
			}
		})
	}
}
