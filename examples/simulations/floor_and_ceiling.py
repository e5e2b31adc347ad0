"""Five per cent of the value, but never far from the first year's income.

A percentage of the value, bounded by a floor and a ceiling that are fractions
of the first withdrawal in its prices.

Source: William P. Bengen (2001), Conserving Client Portfolios During Retirement,
Part IV, Journal of Financial Planning 14(5), with a floor of 90 and a ceiling of
125 per cent.

Departures: none.
"""
from harness import withdraw_floor_ceiling

NAME = "Floor and ceiling"
SYMBOL = "X-FLOOR"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "rate": {"type": "number", "default": 0.05, "minimum": 0, "maximum": 1, "role": "primary", "unit": "fraction", "order": 3},
    "floor": {"type": "number", "default": 0.9, "minimum": 0, "maximum": 1, "title": "Least income, of the first", "order": 4},
    "ceiling": {"type": "number", "default": 1.25, "minimum": 1, "maximum": 10, "title": "Most income, of the first", "order": 5},
}


def simulate(ctx):
    return withdraw_floor_ceiling(ctx, ctx.inputs.rate, ctx.inputs.floor, ctx.inputs.ceiling)
