package script_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/optimize/optimizer"
	"ballast/script"
)

func TestAllocate(t *testing.T) {
	t.Parallel()
	in := optimizer.Input{
		Symbols: []string{"A", "B"}, Returns: [][]float64{{0.01, -0.01}, {0.02, 0.01}}, Current: map[string]float64{"A": 0.75, "GONE": 0.25}, BarsPerYear: 252,
	}
	for _, c := range []struct {
		name, body string
		weights    []float64
		want       string // part of the error, or ""
	}{
		{name: "a symbol that is left out", body: `return {"B": 1}`, weights: []float64{0, 1}},
		{name: "what is held of the panel", body: `return ctx.current`, weights: []float64{0.75, 0}},
		{name: "values of the panel", body: `return {s: r[-1] for s, r in ctx.panel.items()}`, weights: []float64{-0.01, 0.01}},
		{name: "an input", body: `return {"A": ctx.inputs.share}`, weights: []float64{0.5, 0}},
		{name: "a changed panel", body: "ctx.panel.clear()\n    return {\"A\": 1}", weights: []float64{1, 0}},
		{name: "nothing", body: `return None`, want: "must return a dictionary"},
		{name: "an unknown symbol", body: `return {"AA": 1}`, want: "a weight for AA, which is not in the panel; did you mean A?"},
		{name: "infinite", body: `return {"A": float("inf")}`, want: "infinite"},
		{name: "a text", body: `return {"A": "1"}`, want: "must be a number"},
		{name: "a list of its own", body: "KEPT.append(1)\n    return {\"A\": 1}", want: "do not change from one decision to the next"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := "NAME = \"R\"\nKEPT = []\nINPUTS = {\"share\": {\"type\": \"number\", \"default\": 0.5}}\n\n\ndef optimize(ctx):\n    " + c.body + "\n"
			p, problems := script.Kinds{script.Optimizer}.Check(text, nil)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			inputs, details := p.Bind(nil)
			if len(details) > 0 {
				t.Fatal(details)
			}
			weights, _, _, err := script.Allocate(context.Background(), p, inputs, in, script.RunnerLimits{})
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Fatalf("error %v, want one with %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.weights, weights); diff != "" {
				t.Error(diff)
			}
			if in.Current["A"] != 0.75 || math.Abs(in.Returns[0][1]) != 0.01 {
				t.Error("the input has changed")
			}
		})
	}
}
