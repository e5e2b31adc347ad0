"""What an annuity over the years that are left would pay, decided each month.

The value is spent to the end, with a real return that the payments count on:
too low a rate leaves the larger incomes for late, too high a one takes them
early.

Source: The variable percentage withdrawal method of the Bogleheads (2013),
bogleheads.org/wiki/Variable_percentage_withdrawal.

Departures: one real return for the whole portfolio, and a plan of thirty years
in place of a table by age.
"""
from harness import vpw

NAME = "Variable percentage"
SYMBOL = "X-VPW"
STEP = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "rate": {"type": "number", "default": 0.03, "minimum": -0.4, "maximum": 1, "title": "Real return that the payments count on",
             "role": "primary", "unit": "fraction", "order": 3},
}


def simulate(ctx):
    return vpw(ctx, rate=ctx.inputs.rate)
