package console

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/optimize/optimizer"
	"ballast/program/optimizers"
)

// What a field shows reads as the value that it was written from.
func TestInputsKeepTheirValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var p property
		var value any
		switch p.Type = rapid.SampledFrom([]string{"number", "integer", "string", "array", "weights"}).Draw(t, "type"); p.Type {
		case "number":
			value = rapid.Float64().Draw(t, "value")
		case "integer":
			value = float64(rapid.IntRange(-1<<50, 1<<50).Draw(t, "value"))
		case "string":
			value = rapid.StringMatching(`[a-zA-Z0-9.]{0,12}`).Draw(t, "value")
		case "array":
			p.Name = "universe"
			value = listOf(rapid.SliceOf(rapid.StringMatching(`[A-Z0-9][A-Z0-9.-]{0,8}`)).Draw(t, "value"))
		case "weights":
			p.Type = "array"
			value = listOf(rapid.SliceOf(rapid.Float64()).Draw(t, "value"))
		}
		if got := p.valueOf(textOf(value)); !reflect.DeepEqual(got, value) {
			t.Fatalf("%s: %#v became %#v", p.Type, value, got)
		}
	})
}

func listOf[T any](values []T) []any {
	list := []any{}
	for _, v := range values {
		list = append(list, v)
	}
	return list
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		"0.04": 0.04, "SPY": "SPY", "SPY, AGG": []any{"SPY", "AGG"}, `["SPY"]`: []any{"SPY"}, `{"a": 1}`: map[string]any{"a": 1.0}, "true": true, "[broken": "[broken",
	} {
		if diff := cmp.Diff(want, literal(text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// An optimizer whose form is sent back as it was shown stays the same.
func TestOptimizersKeepTheirFields(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"objective":"min_variance","bounds":{"default":[0,0.4],"SPY":[0.1,0.2]},"fallback":"hold","turnover":{"max":0.5}}`,
		`{"objective":"target_return","target":0.08,"expected":{"estimator":"mean"},"groups":[{"members":["SPY"],"max":0.5}],"fallback":"error"}`,
		`{"objective":"black_litterman","market":{"SPY":1},"views":[{"weights":{"SPY":1},"return":0.1}],"riskless":0.02}`,
		`{"objective":"script","script":"def optimize(ctx):\n    return {}\n","inputs":{"n":3}}`,
	} {
		var d optimizer.Definition
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		if details := d.Check(); len(details) > 0 {
			t.Fatalf("%s: %v", text, details)
		}
		f, err := optimizerFieldsOf(&optimizers.Optimizer{Name: "X", Definition: d})
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.definition()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got.Check() // fills in what is left out
		if diff := cmp.Diff(d, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	bad := optimizerFields{Objective: "hrp", Least: "much", More: `{"surprise": 1}`}
	if _, err := bad.definition(); err == nil {
		t.Error("a form with mistakes was accepted")
	}
}
