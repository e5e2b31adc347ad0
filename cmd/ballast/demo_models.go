package main

import (
	"fmt"
	"strings"
)

// demoModels returns the three models of the demonstration in build order. The last
// one holds the first two and an asset.
func demoModels(p demoPick) []demoModel {
	return []demoModel{{"DEMO-6040", p.balanced()}, {"DEMO-MOM", p.momentum()}, {"DEMO-ALL", p.holder()}}
}

func (p demoPick) momentum() string {
	script := fmt.Sprintf(`"""The strongest of the universe over a year, bonds or cash when nothing rises."""
from harness import momentum, top, equal_weight

NAME = "Momentum"
SYMBOL = "DEMO-MOM"
SCHEDULE = "monthly"
START = "two_members"

INPUTS = {
    "universe": {"type": "array", "default": [%s], "title": "Universe"},
    "lookback": {"type": "integer", "default": 252, "minimum": 21, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 1},
    "hold": {"type": "integer", "default": %d, "minimum": 1, "maximum": 10, "title": "Holdings", "role": "primary"},
}


def decide(ctx):
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback)) for s in ctx.universe
              if ctx.sessions(s) > ctx.inputs.lookback}
    ctx.record("breadth", len([s for s in scores.values() if s > 0]))
    winners = [s for s in top(scores, ctx.inputs.hold) if scores[s] > 0]
    return equal_weight(winners)
`, quoted(p.universe), min(3, len(p.universe)))
	if len(p.universe) < 2 {
		script = strings.Replace(script, "START = \"two_members\"\n", "", 1)
	}
	return script
}

func (p demoPick) balanced() string {
	return fmt.Sprintf(`"""60 %% in %[1]s, 40 %% in %[2]s, rebalanced at the end of each month."""

NAME = "Sixty forty"
SYMBOL = "DEMO-6040"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": [%[3]s], "title": "Universe"},
    "first": {"type": "number", "default": 0.6, "minimum": 0, "maximum": 1, "title": "Weight of the first", "role": "primary"},
}


def decide(ctx):
    members = ctx.inputs.universe
    weights = {members[0]: ctx.inputs.first}
    if len(members) > 1:
        weights[members[1]] = 1 - ctx.inputs.first
    return weights
`, p.growth, orCash(p.stable), quoted(p.pair()))
}

func (p demoPick) holder() string {
	return fmt.Sprintf(`"""A model of models: equal weights of the two others and %[1]s."""
from harness import equal_weight

NAME = "All together"
SYMBOL = "DEMO-ALL"
SCHEDULE = "quarterly"

INPUTS = {
    "universe": {"type": "array", "default": ["DEMO-6040", "DEMO-MOM", "%[1]s"], "title": "Universe"},
}


def decide(ctx):
    return equal_weight(ctx.universe)
`, p.extra)
}

// demoModel is one model of the demonstration.
type demoModel struct{ symbol, script string }

func (p demoPick) pair() []string {
	if p.stable == "" {
		return []string{p.growth}
	}
	return []string{p.growth, p.stable}
}

func orCash(symbol string) string {
	if symbol == "" {
		return "cash"
	}
	return symbol
}

func quoted(symbols []string) string {
	out := make([]string, len(symbols))
	for i, s := range symbols {
		out[i] = `"` + s + `"`
	}
	return strings.Join(out, ", ")
}
