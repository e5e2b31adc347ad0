package script

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/internal/fault"
	"ballast/timeseries"
)

const bound = `NAME = "Test"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"]},
    "lookback": {"type": "integer", "default": 252, "minimum": 21, "maximum": 756},
    "share": {"type": "number", "default": 0.5},
    "mode": {"type": "string", "default": "fast", "enum": ["fast", "slow"]},
    "since": {"type": "string", "default": None, "format": "date"},
    "on": {"type": "boolean", "default": True},
    "bands": {"type": "array", "default": [0.1, 0.2]},
}
def decide(ctx):
    return None
`

func TestBindDefaults(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, bound)
	in, details := p.Bind(nil)
	if len(details) > 0 {
		t.Fatal(details)
	}
	want := `{"bands":[0.1,0.2],"initial_cash":10000,"lookback":252,"mode":"fast","on":true,"share":0.5,"since":null,"start_date":null,"universe":["SPY","AGG"]}`
	if d := cmp.Diff(want, string(in.JSON())); d != "" {
		t.Error(d)
	}
	if !in.IsDefault() || in.StartDate() != timeseries.NoDate || in.InitialCash() != 10000 {
		t.Errorf("default %v, start %v, cash %v", in.IsDefault(), in.StartDate(), in.InitialCash())
	}
	again, details := p.Bind(map[string]any{
		"lookback": 252.0, "initial_cash": 10000, "start_date": nil, "universe": []string{"SPY", "AGG"}, "bands": []any{0.1, 0.2},
	})
	if len(details) > 0 || !again.IsDefault() {
		t.Errorf("defaults given explicitly count as the defaults: %v", details)
	}
}

func TestBindValues(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, bound)
	in, details := p.Bind(map[string]any{"start_date": "2010-01-04", "initial_cash": 5000.0, "universe": []any{"TLT"}, "lookback": int32(63)})
	if len(details) > 0 {
		t.Fatal(details)
	}
	if in.IsDefault() || in.StartDate().String() != "2010-01-04" || in.InitialCash() != 5000 || in.Map()["lookback"] != int64(63) {
		t.Errorf("%s", in.JSON())
	}
	if d := cmp.Diff([]string{"TLT"}, in.Universe()); d != "" {
		t.Error(d)
	}
	spec := p.Spec(in)
	if err := spec.Check(); err != nil || spec.InitialCash != 5000 || spec.StartDate != in.StartDate() {
		t.Errorf("%+v: %v", spec, err)
	}
}

// Blank fields of a form are left out.
func TestBindBlanks(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, bound)
	in, details := p.Bind(map[string]any{"lookback": nil, "share": nil, "mode": nil, "universe": nil, "since": "", "start_date": "", "bands": nil, "on": nil})
	if len(details) > 0 || !in.IsDefault() {
		t.Errorf("%v", details)
	}
}

func TestBindRefuses(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, bound)
	names := []string{"universe", "lookback", "share", "mode", "since", "on", "bands", "start_date", "initial_cash"}
	for _, c := range []struct {
		name  string
		key   string
		value any
		want  fault.Detail
	}{
		{"an unknown key", "lokback", 1, fault.Detail{Field: "inputs.lokback", Message: "is not an input of this model", Accepted: names, Suggestion: "lookback"}},
		{"below", "lookback", 20, fault.Detail{Field: "inputs.lookback", Message: "is 20, below the minimum of 21", Accepted: []string{"an integer from 21 to 756"}}},
		{"above", "lookback", 757.0, fault.Detail{Field: "inputs.lookback", Message: "is 757, above the maximum of 756", Accepted: []string{"an integer from 21 to 756"}}},
		{"a fraction", "lookback", 63.5, fault.Detail{Field: "inputs.lookback", Message: "is 63.5, not an integer", Accepted: []string{"an integer from 21 to 756"}}},
		{"a text for a number", "share", "x", fault.Detail{Field: "inputs.share", Message: `is "x"`, Accepted: []string{"a number"}}},
		{"outside of the list", "mode", "fas", fault.Detail{Field: "inputs.mode", Message: `is "fas"`, Accepted: []string{"fast", "slow"}, Suggestion: "fast"}},
		{"no date", "since", "2020-13-01", fault.Detail{Field: "inputs.since", Message: `is "2020-13-01", not a date`, Accepted: []string{"a date written YYYY-MM-DD, or null"}}},
		{"a number for a switch", "on", 1, fault.Detail{Field: "inputs.on", Message: "is 1", Accepted: []string{"true or false"}}},
		{"mixed elements", "bands", []any{1, "x"}, fault.Detail{Field: "inputs.bands", Message: `has "x" as element 2`, Accepted: []string{"an array of number"}}},
		{"an object", "bands", map[string]any{}, fault.Detail{Field: "inputs.bands", Message: "is an object", Accepted: []string{"an array"}}},
		{"no members", "universe", []any{}, fault.Detail{Field: "inputs.universe", Message: "is empty", Accepted: []string{"an array of 1 or more symbols"}}},
		{"CASH as a member", "universe", []any{"SPY", "CASH"}, fault.Detail{Field: "inputs.universe[1]", Message: "CASH is what remains after the members; it cannot be a member"}},
		{"too little cash", "initial_cash", 999, fault.Detail{Field: "inputs.initial_cash", Message: "is 999, below the minimum of 1000", Accepted: []string{"a number of at least 1000"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, details := p.Bind(map[string]any{c.key: c.value})
			if d := cmp.Diff([]fault.Detail{c.want}, details); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestBoundInputsBindAgain(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, bound)
	rapid.Check(t, func(t *rapid.T) {
		values := map[string]any{
			"lookback":     rapid.IntRange(21, 756).Draw(t, "lookback"),
			"share":        rapid.Float64Range(-1e9, 1e9).Draw(t, "share"),
			"mode":         rapid.SampledFrom([]string{"fast", "slow"}).Draw(t, "mode"),
			"initial_cash": rapid.Float64Range(1000, 1e12).Draw(t, "cash"),
			"bands":        rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "bands"),
		}
		in, details := p.Bind(values)
		if len(details) > 0 {
			t.Fatal(details)
		}
		again, details := p.Bind(in.Map())
		if len(details) > 0 || string(again.JSON()) != string(in.JSON()) || again.IsDefault() != in.IsDefault() {
			t.Fatalf("%s became %s: %v", in.JSON(), again.JSON(), details)
		}
	})
}
