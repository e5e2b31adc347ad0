package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/script/dialect"
)

func TestFloorDivisionEverywhere(t *testing.T) {
	t.Parallel()
	_, r, err := execute(t, `NAME = "Floors"
SCHEDULE = "monthly"
UNIVERSE = ["SPY", "AGG"]
NINE = 1.0 // 0.1
LIST = [x // 0.1 for x in [1.0, 0.3] if x // 2 == 0]

def half(x, d=7 // 2):
    y = x
    y //= 0.1
    e = {"k": [1.0]}
    e["k"][0] //= 0.1
    return [y, e["k"][0], d, (lambda v: v // 0.1)(1.0), -(1.0 // 0.1), "%d" % (7 // -2), 8 // 2 // 2]

def decide(ctx):
    got = [NINE, LIST, half(1.0)]
    print(got)
    return {}
`, nil, RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	_, log, _ := strings.Cut(r.Log()[0], " ")
	if want := "[9.0, [9.0, 2.0], [9.0, 9.0, 3, 9.0, -9.0, '-4', 2]]"; log != want {
		t.Errorf("got  %s\nwant %s", log, want)
	}
}

// The expected text is CPython 3.11's.
func TestFormats(t *testing.T) {
	t.Parallel()
	_, r, err := execute(t, `NAME = "Formats"
SCHEDULE = "monthly"
UNIVERSE = ["SPY", "AGG"]

def decide(ctx):
    print("%-6s|%.2f|%5d|%%" % ("SPY", 2.0 / 3, 7), "{:.1%} {:,.2f} {x:>5}".format(0.1234, 1234567.891, x="a"))
    return {}
`, nil, RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	_, log, _ := strings.Cut(r.Log()[0], " ")
	if want := "SPY   |0.67|    7|% 12.3% 1,234,567.89     a"; log != want {
		t.Errorf("got  %s\nwant %s", log, want)
	}
}

func TestNamesThatPythonRefuses(t *testing.T) {
	t.Parallel()
	const head = "NAME = \"N\"\nSCHEDULE = \"monthly\"\nUNIVERSE = [\"AAA\"]\n"
	const tail = "\ndef decide(ctx):\n    return {}\n"
	for name, text := range map[string]string{
		"None":             head + "None = 1" + tail,
		"True":             head + tail + "\ndef f(True):\n    return 1\n",
		"False":            head + tail + "\ndef f(x):\n    return [False for False in x]\n",
		"loop":             head + tail + "\ndef f(x):\n    for None in x:\n        pass\n",
		"unpacked":         head + tail + "\ndef f(x):\n    a, (None, b) = x\n",
		"keyword":          head + tail + "\ndef f(x):\n    return dict(None=1)\n",
		"default":          head + tail + "\ndef f(None=1):\n    return 1\n",
		"star":             head + tail + "\ndef f(*True):\n    return 1\n",
		"lambda":           head + "F = lambda None: 1" + tail,
		"import":           "from harness import sma as None\n" + head + tail,
		"python's own":     head + "__name__ = \"x\"" + tail,
		"tabs and spaces":  head + tail + "\ndef f(x):\n\treturn x\n",
		"popitem":          head + tail + "\ndef f(d):\n    return d.popitem()\n",
		"tab after spaces": head + tail + "\ndef f(x):\n    if x:\n    \treturn x\n",
	} {
		_, problems := Check(text, nil)
		if len(problems) != 1 || problems[0].Rule != dialect.RuleSyntax {
			t.Errorf("%s: %v", name, problems)
		}
	}
	if _, problems := Check(head+tail+"\ndef f(x, y=None, *rest, **more):\n    return [True, None, x.get(\"None\"), \"\"\"a\n\tb\"\"\"]\n", nil); len(problems) > 0 {
		t.Errorf("valid: %v", problems)
	}
}

// TestTextsAreWrittenAsInPython checks that the operator % and the method format work as
// in Python wherever they occur, and that % of numbers is the remainder.
func TestTextsAreWrittenAsInPython(t *testing.T) {
	t.Parallel()
	_, r, err := execute(t, daily+`
FORM = "%s"

def decide(ctx):
    n = 17
    n %= 5
    form = FORM
    form %= 1e6
    print([n, -7 % 3, 5.5 % 2, form, "%5.2f|%-4s|" % (2.0 / 3, "a"), "{:>6.1%} {x}".format(0.25, x=[1e-7, "it's"])], str(2e6), sep="\n")
    ctx.log({"a": (1.0,)})
    return {}
`, nil, RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`2020-01-02 [2, 2, 1.5, '1000000.0', ' 0.67|a   |', ' 25.0% [1e-07, "it\'s"]']`,
		"2020-01-02 2000000.0", "2020-01-02 {'a': (1.0,)}",
	}
	if d := cmp.Diff(want, r.Log()[:3]); d != "" {
		t.Error(d)
	}
}
