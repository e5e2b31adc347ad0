package download_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/internal/testenv"
	"ballast/script/harness"
)

// binding is a name that cases use, with the expression of its value.
type binding [2]string

// The harness in Python must give the same values as the service's, or both must refuse.
func TestHarness(t *testing.T) {
	t.Parallel()
	data := seriesData()
	var cases, of []string
	for _, name := range modelNames() {
		use, ok := uses[name]
		if !ok {
			t.Errorf("no cases of %s", name)
			continue
		}
		for _, expression := range append(testenv.Some(t, 20, oddCalls(name, use.arguments)), testenv.Some(t, 60, sweep(use.sweeps, data))...) {
			cases, of = append(cases, expression), append(of, name)
		}
	}
	for _, expression := range testenv.Some(t, 200, sweep(valueSweeps, data)) {
		cases, of = append(cases, expression), append(of, "vectors and matrices")
	}

	var got struct {
		Names   []string
		Version string
		Answers [][]any
	}
	evaluate(t, "testdata/harness_cases.py", map[string]any{"runtime": "runtime", "data": data, "cases": cases}, &got)
	if !slices.Equal(got.Names, modelNames()) {
		t.Errorf("Python has the names %v, want %v", got.Names, modelNames())
	}

	names := bind(t, data)
	record := make(map[string]*agreement)
	for i, expression := range cases {
		a := record[of[i]]
		if a == nil {
			a = &agreement{}
			record[of[i]] = a
		}
		a.tolerance = exactTolerance
		for name, use := range uses {
			if use.iterative && strings.Contains(expression, name) {
				a.tolerance = iterativeTolerance
			}
		}
		a.add(t, expression, answerOf(expression, names), got.Answers[i])
	}
	var all agreement
	for _, name := range append(modelNames(), "vectors and matrices") {
		if a := record[name]; a != nil {
			all.merge(a)
			if a.values == 0 {
				t.Errorf("%s: no case gives a value", name)
			}
			if a.largest > 0 {
				t.Logf("%s: the largest relative difference is %.3g, of %s", name, a.largest, a.worst)
			}
		}
	}
	t.Logf("CPython %s: %d cases, %d values (%d bit for bit), %d refusals (%d in the same words); the largest relative difference is %.3g",
		got.Version, len(cases), all.values, all.exact, all.refusals, all.sameWords, all.largest)
}

// modelNames are the names of the harness for scripts of all kinds.
func modelNames() []string {
	return slices.DeleteFunc(slices.Clone(harness.Names()), func(name string) bool { return harness.KindOf(name) != "" })
}

// bind evaluates the data in the interpreter.
func bind(t *testing.T, data []binding) starlark.StringDict {
	t.Helper()
	names := starlark.StringDict{"math": harness.Math()}
	for _, name := range modelNames() {
		names[name], _ = harness.Lookup(name)
	}
	for _, b := range data {
		v, err := starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "data", b[1], names)
		if err != nil {
			t.Fatalf("%s: %v", b[0], err)
		}
		names[b[0]] = v
	}
	return names
}

func answerOf(expression string, names starlark.StringDict) []any {
	v, err := starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "case", expression, names)
	if err != nil {
		return []any{"error", "", err.Error()}
	}
	return told(v)
}

// told formats a value as testdata/harness_cases.py does.
func told(v starlark.Value) []any {
	switch v := v.(type) {
	case starlark.NoneType:
		return []any{"none"}
	case starlark.Bool:
		return []any{"bool", v.String()}
	case starlark.Int:
		return []any{"int", v.String()}
	case starlark.Float:
		return []any{"float", strconv.FormatFloat(float64(v), 'x', -1, 64)}
	case starlark.String:
		return []any{"string", string(v)}
	case starlark.IterableMapping:
		out := []any{v.Type()}
		for _, item := range v.Items() {
			out = append(out, []any{told(item[0]), told(item[1])})
		}
		return out
	case starlark.Iterable:
		out := []any{v.Type()}
		for x := range starlark.Elements(v) {
			out = append(out, told(x))
		}
		return out
	}
	return []any{"other", v.Type()}
}

// oddCalls are calls of a function with valid arguments, and with each of them left out,
// passed by name, or replaced by something odd.
func oddCalls(name string, arguments []string) []string {
	s := harness.Signature(name)
	call := func(arguments ...string) string { return name + "(" + strings.Join(arguments, ", ") + ")" }
	calls := []string{
		call(arguments...), call(append(slices.Clone(arguments), "1")...), call(),
		call(append(slices.Clone(arguments), "nonsense = 1")...),
		call(append(slices.Clone(arguments), s.Parameters[0].Name+" = 1")...),
	}
	for i := range arguments {
		calls = append(calls, call(arguments[:i]...))
		named := slices.Clone(arguments)
		for j := i; j < len(named); j++ {
			named[j] = s.Parameters[j].Name + " = " + named[j]
		}
		calls = append(calls, call(named...))
		for _, odd := range []string{
			"None", "True", "False", `"SPY"`, `""`, "-1", "0", "1", "2", "5", "1.5", "2.0", "-0.5", "1e300", "1000000", "3000000000", "10000000000000000000000",
			`float("nan")`, `float("inf")`, "[]", "[1]", "[1, 2.5]", `["A"]`, `["A", "A"]`, "(1, 2, 3)", "{}", `{"A": 1}`, `{"A": "x"}`, `{"A": None}`, `{1: 2}`,
			`{"A": float("nan")}`, `{"A": [1, 2]}`, `{"Z": 0.5}`, "vector([1, 2])", "covariance(panel0)", `range(3)`, "len",
		} {
			replaced := slices.Clone(arguments)
			replaced[i] = odd
			calls = append(calls, call(replaced...))
		}
	}
	return calls
}
