"""From a cautious model to a bold one while the retirement goes on.

A glide path between two models of yours: little of the bolder one when the
plan begins and a bad start would hurt the most, more of it each year.

Source: Wade D. Pfau and Michael E. Kitces (2014), Reducing Retirement Risk with a
Rising Equity Glide Path, Journal of Financial Planning 27(1).

Departures: between two models with daily histories of their own, in place of
equities and bonds.
"""
from harness import withdraw_fixed

NAME = "Rising glide path"
SYMBOL = "X-GLIDE"

INPUTS = {
    "universe": {"type": "array", "default": ["X-6040", "X-PERM"], "title": "Bolder model, then calmer one", "order": 1},
    "rate": {"type": "number", "default": 0.04, "minimum": 0, "maximum": 1, "title": "Rate of the first year",
             "role": "primary", "unit": "fraction", "order": 2},
    "first": {"type": "number", "default": 0.3, "minimum": 0, "maximum": 1, "title": "Share of the bolder at first", "order": 3},
    "last": {"type": "number", "default": 0.7, "minimum": 0, "maximum": 1, "title": "Share of the bolder at last", "order": 4},
}


def simulate(ctx):
    bolder, calmer = ctx.inputs.universe
    gone = ctx.step / max(ctx.inputs.years - 1, 1)
    share = ctx.inputs.first + (ctx.inputs.last - ctx.inputs.first) * gone
    return {"withdraw": withdraw_fixed(ctx, rate=ctx.inputs.rate), "weights": {bolder: share, calmer: 1 - share}}
