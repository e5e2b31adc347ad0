package script

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/script/dialect"
)

// bind binds the inputs of a script.
func bind(t interface{ Fatalf(string, ...any) }, p *Script, values map[string]any) Inputs {
	in, details := p.Bind(values)
	if len(details) > 0 {
		t.Fatalf("%v: %+v", values, details)
	}
	return in
}

// rewrite gives a script other defaults and checks that nothing else has changed.
func rewriteDefaults(t interface{ Fatalf(string, ...any) }, p *Script, values map[string]any) *Script {
	in := bind(t, p, values)
	q, found := p.WithDefaults(in)
	if len(found) > 0 {
		t.Fatalf("%v in:\n%s", found, p.Source)
	}
	own := bind(t, q, nil)
	for _, property := range q.Inputs.Properties {
		if property.Service {
			continue
		}
		if diff := cmp.Diff(in.Map()[property.Name], own.Map()[property.Name]); diff != "" {
			t.Fatalf("the default of %s: %s\n%s", property.Name, diff, q.Source)
		}
	}
	if !SameButDefaults(p, q) || q.masked() != p.masked() {
		t.Fatalf("more than the defaults changed:\n%s\n%s", p.Source, q.Source)
	}
	if same, _ := q.WithDefaults(bind(t, q, nil)); same == nil || same.Source != q.Source {
		t.Fatalf("its own defaults change it:\n%s", q.Source)
	}
	return q
}

func TestWithDefaultsChangesOnlyLiterals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		universe string // literal of the default
		others   string // more inputs
		values   map[string]any
		want     string // the rewritten literal
		wantRest string
	}{
		{"an integer", `["SPY"]`, `"n": {"type": "integer", "default": 252, "minimum": 2}`, map[string]any{"n": 21}, `["SPY"]`,
			`"n": {"type": "integer", "default": 21, "minimum": 2}`},
		{"in parentheses, with a sign", `["SPY"]`, `"n": {"type": "integer", "default": ( -5 )}`, map[string]any{"n": 7}, `["SPY"]`, `"n": {"type": "integer", "default": ( 7 )}`},
		{"a negative", `["SPY"]`, `"n": {"type": "number", "default": 1}`, map[string]any{"n": -3}, `["SPY"]`, `"n": {"type": "number", "default": -3}`},
		{"a fraction", `["SPY"]`, `"n": {"type": "number", "default": 0.60}`, map[string]any{"n": 0.30000000000000004}, `["SPY"]`, `"n": {"type": "number", "default": 0.30000000000000004}`},
		{"a fraction becomes whole", `["SPY"]`, `"n": {"type": "number", "default": 0.5}`, map[string]any{"n": 2}, `["SPY"]`, `"n": {"type": "number", "default": 2.0}`},
		{"very small and very large", `["SPY"]`, `"n": {"type": "number", "default": 1}, "m": {"type": "number", "default": 1}`, map[string]any{"n": 1e-7, "m": 1e300}, `["SPY"]`,
			`"n": {"type": "number", "default": 1e-07}, "m": {"type": "number", "default": 1e+300}`},
		{"the value that is there in other words", `["SPY"]`, `"n": {"type": "number", "default": +0x10}`, map[string]any{"n": 16.0}, `["SPY"]`, `"n": {"type": "number", "default": +0x10}`},
		{"a boolean", `["SPY"]`, `"on": {"default": True, "type": "boolean"}`, map[string]any{"on": false}, `["SPY"]`, `"on": {"default": False, "type": "boolean"}`},
		{"of None", `["SPY"]`, `"since": {"type": "string", "format": "date", "default": None}`, map[string]any{"since": "2020-02-29"}, `["SPY"]`,
			`"since": {"type": "string", "format": "date", "default": "2020-02-29"}`},
		{"quotes and escapes", `["SPY"]`, `"s": {"type": "string", "default": 'it'}`, map[string]any{"s": "it's \"so\"\\\n\tü\u200b\U0001f600\x01"}, `["SPY"]`,
			`"s": {"type": "string", "default": 'it\'s "so"\\\n\tü\u200b😀\x01'}`},
		{"a prefix", `["SPY"]`, `"s": {"type": "string", "default": u"it"}`, map[string]any{"s": "so"}, `["SPY"]`, `"s": {"type": "string", "default": "so"}`},
		{"a raw one of three quotes", `["SPY"]`, "\"s\": {\"type\": \"string\", \"default\": r'''a\nb'''}", map[string]any{"s": "c"}, `["SPY"]`, `"s": {"type": "string", "default": 'c'}`},
		{"one that is joined", `["SPY"] + ['EFA']`, `"s": {"type": "string", "default": "a" + "b"}`, map[string]any{"s": "c", "universe": []any{"AGG", "EEM"}}, `["AGG", "EEM"]`, `"s": {"type": "string", "default": "c"}`},
		{"a tuple", `("SPY", "EFA")`, ``, map[string]any{"universe": []any{"AGG"}}, `["AGG"]`, ``},
		{"one of several", `["SPY", "EFA", "AGG"]`, ``, map[string]any{"universe": []any{"SPY", "EEM", "AGG"}}, `["SPY", "EEM", "AGG"]`, ``},
		{"one more", `['SPY','EFA']`, ``, map[string]any{"universe": []any{"SPY", "EFA", "AGG"}}, `['SPY','EFA','AGG']`, ``},
		{"one less in front", `["SPY", "EFA", ]`, ``, map[string]any{"universe": []any{"EFA"}}, `["EFA", ]`, ``},
		{"comments stay with their elements", "[  # all\n        \"SPY\",  # stocks, large\n        # abroad\n        u\"EFA\" , # both\n        \"AGG\"   # bonds\n    ]", ``,
			map[string]any{"universe": []any{"AGG", "EEM", "SPY", "GLD"}},
			"[  # all\n        \"AGG\",   # bonds\n        # abroad\n        \"EEM\",\n        \"SPY\",  # stocks, large\n        \"GLD\"\n    ]", ``},
		{"the last of a column", "[\n    \"SPY\",  # stocks\n    \"AGG\",  # bonds\n]", ``, map[string]any{"universe": []any{"SPY"}}, "[\n    \"SPY\",  # stocks\n]", ``},
		{"a comment before what has none", "[\"SPY\",  # stocks\n \"EFA\", \"AGG\"]", ``, map[string]any{"universe": []any{"SPY", "AGG"}}, "[\"SPY\",  # stocks\n \"AGG\"]", ``},
		{"a comment before the end", "[\"SPY\",  # stocks\n \"EFA\"]", ``, map[string]any{"universe": []any{"SPY"}}, "[\"SPY\"  # stocks\n]", ``},
		{"emptied and filled", `["SPY"]`, "\"a\": {\"type\": \"array\", \"default\": [1, 2.5]}, \"b\": {\"type\": \"array\", \"default\": [ # none\n ]}",
			map[string]any{"a": []any{}, "b": []any{true, false}}, `["SPY"]`, "\"a\": {\"type\": \"array\", \"default\": []}, \"b\": {\"type\": \"array\", \"default\": [ # none\nTrue, False\n ]}"},
		{"whole numbers", `["SPY"]`, `"a": {"type": "array", "default": [21, 63]}`, map[string]any{"a": []any{21, 126, 63}}, `["SPY"]`, `"a": {"type": "array", "default": [21, 126, 63]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := mustCheck(t, withInputs(test.universe, test.others))
			if got, want := rewriteDefaults(t, p, test.values).Source, withInputs(test.want, test.wantRest); got != want {
				t.Errorf("%s", cmp.Diff(want, got))
			}
			windows := mustCheck(t, "\ufeff"+strings.ReplaceAll(p.Source, "\n", "\r\n"))
			got := rewriteDefaults(t, windows, test.values).Source
			if want := withInputs(test.want, test.wantRest); dialect.PlainText(got) != want {
				t.Errorf("with other line endings: %s", cmp.Diff(want, dialect.PlainText(got)))
			}
		})
	}
}

// withInputs returns a script with a default for its universe, and more inputs.
func withInputs(universe, others string) string {
	return "import math; NAME = \"Tést\"  # \"default\": 1\nSCHEDULE = 'monthly'\nINPUTS = ({\n    \"universe\": {\"title\": \"default\", \"default\": " + universe +
		", \"type\": \"array\"},\n    " + others + "})\n\ndef decide(ctx):\n    default = {\"default\": 252}\n    return {}\n"
}

func TestSameButDefaults(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, regional)
	for name, change := range map[string][2]string{
		"a default": {"252", "21"}, "a universe": {`"EFA", `, ""}, "a universe over lines": {`["SPY", `, "[\n # all\n'SPY',"},
	} {
		if q := mustCheck(t, strings.Replace(regional, change[0], change[1], 1)); !SameButDefaults(p, q) || p.Strategy() != q.Strategy() {
			t.Errorf("%s counts as another strategy", name)
		}
	}
	for name, change := range map[string][2]string{
		"a bound": {"756", "755"}, "a title": {"Universe", "Members"}, "a comment": {"the rest is CASH", "the rest"}, "space": {"winners =", "winners  ="},
		"a constant": {`"monthly"`, `"weekly"`}, "the decision": {"> 0]", ">= 0]"}, "another input": {`"hold":`, `"held": {"type": "integer", "default": 2}, "hold":`},
	} {
		if q := mustCheck(t, strings.Replace(regional, change[0], change[1], 1)); SameButDefaults(p, q) || p.Strategy() == q.Strategy() {
			t.Errorf("%s does not count as another strategy", name)
		}
	}
}

func TestDefaultsThatDoNotFitTheText(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, regional)
	var many []any
	for i := range maxArray {
		many = append(many, fmt.Sprintf("%0150d", i))
	}
	if q, found := p.WithDefaults(bind(t, p, map[string]any{"universe": many})); q != nil || len(found) != 1 || found[0].Rule != dialect.RuleTooLarge {
		t.Errorf("%v", found)
	}
}

// values draws values of inputs, by the kind of their elements.
func drawValue(t *rapid.T, kind string) any {
	list := func(g *rapid.Generator[any]) any { return rapid.SliceOfN(g, 0, 6).Draw(t, "list") }
	switch kind {
	case "universe":
		symbols := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Z"'\\é😀#,\]]{1,4}`), 1, 6, rapid.ID).Filter(func(s []string) bool {
			return !strings.Contains(strings.Join(s, " "), "CASH")
		}).Draw(t, "symbols")
		return anySlice(symbols)
	case "number":
		return rapid.OneOf(rapid.Float64Range(-1e18, 1e18), rapid.Float64Range(-1e-3, 1e-3), rapid.Map(rapid.IntRange(-99, 99), func(i int) float64 { return float64(i) })).Draw(t, "number")
	case "integer":
		return rapid.Int64Range(-1<<53, 1<<53).Draw(t, "integer")
	case "boolean":
		return rapid.Bool().Draw(t, "boolean")
	case "string":
		return rapid.OneOf(rapid.StringN(0, 20, -1), rapid.StringMatching(`["'\\#\[\],{}\n\r\t ]{0,8}`)).Draw(t, "string")
	case "strings":
		return list(rapid.Map(rapid.StringN(0, 8, -1), func(s string) any { return s }))
	}
	return list(rapid.Map(rapid.Float64(), func(v float64) any { return v }))
}

// drawText formats a value in one of the ways that scripts use.
func drawText(t *rapid.T, value any) string {
	s := style{quote: rapid.SampledFrom([]byte{'"', '\''}).Draw(t, "quote")}
	list, ok := value.([]any)
	if !ok {
		return fmt.Sprintf(rapid.SampledFrom([]string{"%s", "(%s)", " (( %s))"}).Draw(t, "form"), s.literal(value))
	}
	space := rapid.SampledFrom([]string{"", " ", "\n", "\n    ", "  # it, [\n", " # a\n # b\n  ", "\r\n\t", " \\\n "})
	var b strings.Builder
	b.WriteString("[" + space.Draw(t, "space"))
	for i, v := range list {
		b.WriteString(s.literal(v) + space.Draw(t, "space"))
		if i+1 < len(list) || rapid.Bool().Draw(t, "comma") {
			b.WriteString("," + space.Draw(t, "space"))
		}
	}
	return b.String() + "]"
}

// TestAnyDefaults checks that for any values the rewritten script passes its checks, has
// exactly these defaults, and is otherwise unchanged.
func TestAnyDefaults(t *testing.T) {
	t.Parallel()
	types := map[string]string{"strings": "array", "numbers": "array", "universe": "array"}
	rapid.Check(t, func(t *rapid.T) {
		var others []string
		values := map[string]any{}
		for _, kind := range []string{"number", "integer", "boolean", "string", "strings", "numbers"} {
			typed := types[kind]
			if typed == "" {
				typed = kind
			}
			others = append(others, fmt.Sprintf("%q: {\"type\": %q, \"default\": %s}", kind, typed, drawText(t, drawValue(t, kind))))
			if rapid.Bool().Draw(t, "changes") {
				values[kind] = drawValue(t, kind)
			}
		}
		if rapid.Bool().Draw(t, "changes") {
			values["universe"] = drawValue(t, "universe")
		}
		p, found := Check(withInputs(drawText(t, drawValue(t, "universe")), strings.Join(others, ", ")), nil)
		if len(found) > 0 {
			t.Fatalf("%v", found)
		}
		q := rewriteDefaults(t, p, values)
		// And back to the original values.
		back := bind(t, p, nil).Map()
		delete(back, startDateInput)
		delete(back, initialCashInput)
		rewriteDefaults(t, q, back)
	})
}

// Python reads the literals in the same way as the dialect.
func TestPythonReadsTheDefaults(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not there")
	}
	p := mustCheck(t, withInputs("[\n  'SPY',  # one\n]", `"n": {"type": "number", "default": 1.5}, "s": {"type": "string", "default": ""}, "l": {"type": "array", "default": [0.5]}, "b": {"type": "boolean", "default": False}, "d": {"type": "string", "default": None}`))
	values := map[string]any{
		"universe": []any{"Größe \"x\"", `back\slash`, "it's", "😀"}, "n": 1e-300, "s": "\x00\x1f\x7f\u0085\u2028\ufeff\U000e0001\r\n\t'\"\\",
		"l": []any{0.1, 1e16, 123456789.0, -2.5e-8, 9007199254740993.0}, "b": true, "d": "2024-02-29",
	}
	q := rewriteDefaults(t, p, values)
	out, err := exec.CommandContext(t.Context(), "python3", "-c", "import json, sys\nscript = {}\nexec(sys.argv[1].replace('\\r\\n', '\\n'), script)\nprint(json.dumps({k: v['default'] for k, v in script['INPUTS'].items()}))", q.Source).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(values, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzWithDefaults(f *testing.F) {
	f.Add(regional, `{"lookback": 21}`)
	f.Add(withInputs("[\n  'SPY',  # one\n u\"AGG\"\n]", `"s": {"type": "string", "default": 'x'}`), `{"s": "\"'\\\n", "universe": ["AGG", "X"]}`)
	f.Add("\ufeff"+strings.ReplaceAll(withInputs(`("SPY",)`, `"n": {"type": "number", "default": -1}`), "\n", "\r"), `{"n": 1e-9, "universe": ["B"]}`)
	f.Fuzz(func(t *testing.T, source, text string) {
		p, _ := Check(source, nil)
		var values map[string]any
		if p == nil || json.Unmarshal([]byte(text), &values) != nil {
			return
		}
		if _, details := p.Bind(values); len(details) > 0 || len(source)+8*len(text) > MaxSource {
			return
		}
		rewriteDefaults(t, p, values)
	})
}
