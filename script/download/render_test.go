package download_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"ballast/script"
	"ballast/script/download"
)

// odd are scripts that a careless layout would break, by name.
var odd = map[string]string{
	"carriage_returns": strings.ReplaceAll(plain, "\n", "\r\n"),
	"byte_order_mark":  "\ufeff" + plain,
	"no_last_newline":  strings.TrimSpace(plain),
	"tabs":             strings.ReplaceAll(plain, "    ", "\t"),
	"no_docstring":     strings.TrimPrefix(plain, `"""A plain one."""`),
	"trailing_comment": plain + "# the end",
	"unicode":          strings.Replace(plain, "Plain", "Größe – 世界 \\u00e9", 1),
	"encoding":         strings.Replace(plain, "Plain", "coding: raw_unicode_escape", 1) + "# \\u000araise SystemExit(3)\n",
	"long_name":        strings.Replace(plain, "Plain", strings.Repeat("n", 100), 1),
	"private_name":     plain + "\n_ballast = 5\n__ballast = _ballast\n",
	"quotes":           plain + "\nTEXT = '''a \"\"\" b''' + \"\"\"c ''' d\n  e\"\"\"\n",
	"imports": `from harness import (momentum as rise,  # as it was
    top,
    equal_weight,
)
import math as m, math
` + plain + `
def helper(x):
    return m.sqrt(math.pi) + rise([1.0, 2.0]) + len(top({}, 1)) + len(equal_weight([]))
`,
	"shadows": plain + strings.Join([]string{
		"", "len = range", "isinstance_of = 1", "object = 2", "Exception = 3", "super = property = staticmethod = 4", "sys = json = os = 5",
		"types = builtins = 6", "globals = 7", "Engine = Vector = Context = main = begin = harness = 8", "",
	}, "\n"),
}

const plain = `"""A plain one."""
NAME = "Plain"
SCHEDULE = "monthly"
UNIVERSE = ["A", "B"]


def decide(ctx):
    return {"A": 0.5, "B": 0.25}
`

func init() { // in an init function, because a script may bind a name only once
	odd["shadows"] = strings.NewReplacer("super = property = staticmethod = 4", "super = 4\nproperty = 4\nstaticmethod = 4",
		"sys = json = os = 5", "sys = 5\njson = 5\nos = 5", "types = builtins = 6", "types = 6\nbuiltins = 6",
		"Engine = Vector = Context = main = begin = harness = 8", "Engine = 8\nVector = 8\nContext = 8\nmain = 8\nbegin = 8\nharness = 8").Replace(odd["shadows"])
}

func render(t *testing.T, source string) []byte {
	t.Helper()
	p, problems := script.Check(source, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	text, err := download.Render(p, download.Options{Model: "model_1\nx", URL: "https://ballast.example"})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRenderKeepsTheScript(t *testing.T) {
	t.Parallel()
	for name, source := range odd {
		text := render(t, source)
		if !bytes.Contains(text, []byte(strings.TrimPrefix(source, "\ufeff"))) {
			t.Errorf("%s: the script was changed", name)
		}
		if !bytes.Equal(text, render(t, source)) {
			t.Errorf("%s: rendering twice gives different files", name)
		}
	}
}

// TestRenderRuns compiles and runs every odd script as a download.
func TestRenderRuns(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	bars := save(t, folder, "bars.csv", []byte(smallBars))
	var names []string
	var requests []request
	for name, source := range odd {
		names = append(names, name)
		requests = append(requests, request{save(t, folder, name+".py", render(t, source)), []string{"--bars", bars, "--json"}})
	}
	var first string
	for i, a := range runAll(t, requests) {
		if a.Code != 0 || a.Errors != "" {
			t.Errorf("%s ends with %d: %s", names[i], a.Code, a.Errors)
		}
		if first == "" {
			first = a.Out
		}
		if a.Out != first {
			t.Errorf("%s gives another result: %s", names[i], a.Out)
		}
	}
}

const smallBars = `symbol,date,adj_close
A,2024-01-30,10
A,2024-01-31,10.5
A,2024-02-01,11
A,2024-02-02,10.8
B,2024-01-31,20
B,2024-02-01,19
B,2024-02-02,21
`

// grammar parses files with the grammar of Python 3.9, and reports newer names of the
// standard library and names that the modules do not bind.
const grammar = `
import ast, builtins, sys
newer = {"pairwise", "batched", "bit_count", "removeprefix_", "aclosing", "UTC", "tomllib", "cbrt", "exp2", "sumprod", "StrEnum", "match_args"}
bad = []
for path in sys.argv[1:]:
    tree = ast.parse(open(path, encoding="utf-8").read(), path, feature_version=(3, 9))
    for node in ast.walk(tree):
        name = getattr(node, "id", None) or getattr(node, "attr", None)
        if name in newer:
            bad.append("%s: %s is newer than 3.9" % (path, name))
        if isinstance(node, ast.Call):
            called, given = getattr(node.func, "id", ""), [k.arg for k in node.keywords]
            if called == "zip" and "strict" in given or "slots" in given or "kw_only" in given:
                bad.append("%s: line %d is newer than 3.9" % (path, node.lineno))
        if isinstance(node, (ast.Global, ast.AsyncFunctionDef)):
            bad.append("%s: line %d" % (path, node.lineno))
        annotations = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if any(isinstance(a, ast.BinOp) for a in annotations):
            bad.append("%s: an annotation is newer than 3.9" % path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value and node.end_lineno > node.lineno:
            if not any(isinstance(parent, ast.Expr) and parent.value is node for parent in ast.walk(tree)):
                bad.append("%s: line %d: a string of several lines is indented in the download" % (path, node.lineno))
sys.exit("\n".join(bad) or 0)
`

// TestRuntimeIsOfPython39 checks that the runtime works with the oldest supported Python
// and inside functions.
func TestRuntimeIsOfPython39(t *testing.T) {
	t.Parallel()
	program := interpreter(t)
	path := save(t, t.TempDir(), "model.py", render(t, plain))
	for _, arguments := range [][]string{
		append([]string{"-c", grammar, path}, runtimeFiles(t)...),
		{"-W", "error", "-m", "py_compile", path},
	} {
		if out, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
}
