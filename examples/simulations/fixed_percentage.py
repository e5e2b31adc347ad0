"""The same percentage of what is there, year by year.

The money never runs out, and the income rises and falls with the portfolio:
the risk moves from the end of the plan into every year of it.

Source: Wade D. Pfau (2015), Making Sense Out of Variable Spending Strategies for
Retirees, Journal of Financial Planning 28(10).

Departures: none.
"""
from harness import withdraw_percentage

NAME = "Five per cent of the value"
SYMBOL = "X-PERCENT"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "rate": {"type": "number", "default": 0.05, "minimum": 0, "maximum": 1, "title": "Part of the value a year",
             "role": "primary", "unit": "fraction", "order": 3},
}


def simulate(ctx):
    return withdraw_percentage(ctx, ctx.inputs.rate)
