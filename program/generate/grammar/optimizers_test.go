package grammar

import (
	"errors"
	"strings"
	"testing"

	"ballast/program/generate"
	"ballast/script"
)

// However an optimizer is said, the model holds its weights, and the script follows the
// contract.
func TestOptimizedByName(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"optimized by LOWVOL on SPY, AGG, GLD monthly",
		"SPY, AGG and GLD, optimised with the optimizer LOWVOL, monthly",
		"SPY, AGG, GLD weighted by optimizer LOWVOL, monthly",
		"hold SPY, AGG and GLD optimized using \"LOWVOL\" every month",
	} {
		plan := understand(t, prompt)
		text := Write(plan)
		for _, part := range []string{
			`target = optimize("LOWVOL", ctx.panel(pool, ctx.inputs.risk_lookback), ctx.weights)`,
			`SCHEDULE = "monthly"`, `["SPY", "AGG", "GLD"]`, "252",
		} {
			if !strings.Contains(text, part) {
				t.Errorf("%q: the script lacks %s:\n%s", prompt, part, text)
			}
		}
		if _, found := script.Check(text, nil); len(found) > 0 {
			t.Errorf("%q: %+v\n%s", prompt, found, text)
		}
	}
	plan := understand(t, "optimized by LOWVOL on SPY, AGG, GLD over 120 days when SPY is above its 200-day moving average, otherwise BIL, monthly")
	if text := Write(plan); plan.RiskLookback != 120 || plan.Gate == nil || strings.Count(text, `optimize("LOWVOL"`) != 1 {
		t.Errorf("%+v\n%s", plan, text)
	}
}

// What would change an optimizer's weights afterwards is refused, with what to do.
func TestOptimizedIsNotChanged(t *testing.T) {
	t.Parallel()
	for prompt, message := range map[string]string{
		"optimized by LOWVOL on SPY, AGG, GLD, max 40% each, monthly":                                             "set the bounds of LOWVOL",
		"optimized by LOWVOL on SPY, AGG, GLD, target 10% volatility, monthly":                                    "are not scaled",
		"optimized by LOWVOL on SPY, AGG, GLD, 1.5x leverage, monthly":                                            "are not scaled",
		"optimized by LOWVOL on SPY, AGG, GLD, each only while above its 200 day average, otherwise BIL, monthly": "one condition for the whole model",
		"optimized by LOWVOL on SPY, AGG, GLD, risk parity, monthly":                                              "weighting",
	} {
		_, err := Understand(t.Context(), newShelf(), prompt)
		var unknown *generate.NotUnderstood
		if !errors.As(err, &unknown) || !strings.Contains(unknown.Words[0].Message, message) {
			t.Errorf("%q: %v; want %q", prompt, err, message)
		}
	}
}

// An optimizer's limits are those of a whole model, so it is no part of a blend. What a
// condition leads to is a whole.
func TestOptimizedIsWhole(t *testing.T) {
	t.Parallel()
	_, err := New().Generate(t.Context(), newShelf(), generate.Request{Prompt: "60% (optimized by LOWVOL on SPY, AGG and GLD), 40% (AGG when above its 100 day average, otherwise BIL), monthly"})
	var unknown *generate.NotUnderstood
	if !errors.As(err, &unknown) || !strings.Contains(unknown.Words[0].Message, "a model of its own") {
		t.Errorf("%v", err)
	}
}
