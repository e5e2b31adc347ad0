package download_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/optimize/optimizer"
	"ballast/script/download"
)

// rules returns the optimizer of a scenario as a download gets it.
func (s scenario) rules(t *testing.T) map[string]download.Optimizer {
	t.Helper()
	if s.optimizer == "" {
		return nil
	}
	return map[string]download.Optimizer{"RULE": {Version: 3, Definition: definition(t, s.optimizer)}}
}

func definition(t *testing.T, text string) optimizer.Definition {
	t.Helper()
	var d optimizer.Definition
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if details := d.Check(); len(details) > 0 {
		t.Fatalf("%s: %v", text, details)
	}
	return d
}

// optimized is a model whose weights an optimizer chooses. It has fewer members at first,
// and caps the weights in some quarters.
const optimized = `"""Optimized."""
from harness import cap, optimize

NAME = "Optimized"
SCHEDULE = "quarterly"
START = "two_members"
LONG = True
UNIVERSE = ["SPY", "QQQ", "IWM", "AGG", "TLT", "GLD", "LQD", "HYG", "TIP", "EEM"]

def decide(ctx):
    known = [s for s in ctx.universe if ctx.sessions(s) > 126]
    if len(known) < 3:
        return None
    w = optimize("Rule", ctx.panel(known, 126), current=ctx.weights)
    return cap(w, 0.45) if int(ctx.date[5:7]) % 6 == 0 and LONG else w
`

// definitions are optimizers that a download can solve: every objective and estimator,
// with and without limits.
var definitions = map[string]string{
	"least":       `{"objective": "min_variance"}`,
	"sample":      `{"objective": "min_variance", "covariance": {"estimator": "sample", "lookback": 63}, "bounds": {"default": [0, 0.5], "GLD": [0.05, 0.2]}}`,
	"short":       `{"objective": "min_variance", "bounds": {"default": [-0.1, 0.6]}}`,
	"groups":      `{"objective": "min_variance", "covariance": {"estimator": "oas"}, "groups": [{"members": ["AGG", "TLT", "LQD", "TIP"], "max": 0.3}, {"members": ["SPY", "NONE", "QQQ"], "min": 0.1}]}`,
	"fading":      `{"objective": "min_variance", "covariance": {"estimator": "exponential", "halflife": 21}, "bounds": {"default": [0, 0.6]}}`,
	"index":       `{"objective": "min_variance", "covariance": {"estimator": "single_index"}, "bounds": {"default": [0, 0.6]}}`,
	"parity":      `{"objective": "risk_parity", "bounds": {"default": [0.02, 0.5]}}`,
	"budget":      `{"objective": "risk_parity", "budget": {"SPY": 3, "QQQ": 1, "IWM": 1, "AGG": 2, "TLT": 1, "GLD": 1, "LQD": 1, "HYG": 1, "TIP": 1, "EEM": 1}}`,
	"tree":        `{"objective": "hrp", "covariance": {"estimator": "sample"}}`,
	"bound_tree":  `{"objective": "hrp", "bounds": {"default": [0.02, 0.35]}}`,
	"utility":     `{"objective": "mean_variance", "risk_aversion": 5, "expected": {"estimator": "mean", "lookback": 100}}`,
	"trend":       `{"objective": "mean_variance", "expected": {"estimator": "exponential", "halflife": 30}, "bounds": {"default": [0, 0.5]}}`,
	"implied":     `{"objective": "mean_variance", "riskless": 0.02, "expected": {"estimator": "implied"}, "market": {"SPY": 5, "AGG": 4, "QQQ": 1, "IWM": 1, "TLT": 1, "GLD": 1, "LQD": 1, "HYG": 1, "TIP": 1, "EEM": 1}}`,
	"hold":        `{"objective": "min_variance", "fallback": "hold", "groups": [{"members": ["EEM"], "min": 0.2}]}`,
	"equal":       `{"objective": "risk_parity", "fallback": "equal_weight", "bounds": {"default": [0, 0.21]}}`,
	"equal_still": `{"objective": "hrp", "fallback": "equal_weight", "bounds": {"default": [0, 0.21]}}`,
}

// TestOptimizersInTheDownload runs a model with optimizers in the engine and as a download.
func TestOptimizersInTheDownload(t *testing.T) {
	interpreter(t)
	m := newMarket(t)
	if !m.has(t, []string{"etf21"}) {
		t.Skip("the market of funds is not there")
	}
	out := t.TempDir()
	var all []scenario
	var requests []request
	for _, name := range testenv.Some(t, 5, slices.Sorted(maps.Keys(definitions))) {
		text := definitions[name]
		s := scenario{name: "optimized_" + name, source: optimized, bars: []string{"etf21"}, optimizer: text}
		if name == "short" { // cap takes no weights below 0
			s.source = strings.Replace(optimized, "LONG = True", "LONG = False", 1)
		}
		all, requests = append(all, s), append(requests, s.request(t, m, filepath.Join(out, s.name)))
	}
	for i, a := range runAll(t, requests) {
		s := all[i]
		t.Run(s.name, func(t *testing.T) {
			if a.Code != 0 {
				t.Fatalf("the download ends with %d: %s", a.Code, a.Errors)
			}
			d := &differences{T: t}
			d.compare(s.run(t, m), a, filepath.Join(out, s.name))
			t.Logf("%.2f s; the largest difference is %.3g (%s)", a.Seconds, d.days.size, d.days.where)
		})
	}
}

// TestOptimizerWithoutAnAnswerEndsTheDownload has limits that contradict one another.
func TestOptimizerWithoutAnAnswerEndsTheDownload(t *testing.T) {
	interpreter(t)
	m := newMarket(t)
	if !m.has(t, []string{"etf21"}) {
		t.Skip("the market of funds is not there")
	}
	s := scenario{name: "contradiction", source: optimized, bars: []string{"etf21"}, optimizer: `{"objective": "hrp", "bounds": {"default": [0, 0.05]}}`}
	a := runAll(t, []request{s.request(t, m, t.TempDir())})[0]
	if want := "RULE has no answer: no weights satisfy all limits"; a.Code != 1 || !strings.Contains(a.Errors, want) {
		t.Errorf("the download ends with %d: %s; want %q", a.Code, a.Errors, want)
	}
}

func TestUnsupportedOptimizersAreNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"objective": "min_variance"}`:                                                          "",
		`{"objective": "hrp"}`:                                                                   "",
		`{"objective": "max_sharpe", "expected": {"estimator": "mean"}}`:                         "the objective max_sharpe",
		`{"objective": "min_cvar"}`:                                                              "the objective min_cvar",
		`{"objective": "min_variance", "turnover": {"max": 0.2}}`:                                "limits of turnover",
		`{"objective": "min_variance", "tracking": {"benchmark": {"SPY": 1}, "max": 0.05}}`:      "limits of the tracking error",
		`{"objective": "script", "script": "NAME = \"X\"\ndef optimize(ctx):\n    return {}\n"}`: "optimizers that are scripts",
	} {
		d := definition(t, text)
		if got := download.Unsupported(d); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		p := scenario{source: optimized}.check(t)
		_, err := download.Render(p, download.Options{Optimizers: map[string]download.Optimizer{"RULE": {Version: 1, Definition: d}}})
		if refused := err != nil; refused != (want != "") {
			t.Errorf("%s: Render returns %v", text, err)
		}
	}
}
