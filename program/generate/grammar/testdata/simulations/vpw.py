"""Simulates 35 years from 800,000 in 50% SPY and 50% AGG, rebalanced monthly.
Withdraws by VPW: the payment of an annuity over the years left, at a real return of 3% a year.
No real return was given for the payments, so they count on 3% a year.
"""
from harness import vpw

NAME = "Variable percentage withdrawal, 35 years in 50% SPY and 50% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.5, 0.5],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 800000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 35,
        "title": "Years", "role": "primary", "order": 4},
    "real_return": {"type": "number", "default": 0.03, "minimum": 0.0, "maximum": 1.0,
        "title": "Real return", "description": "That the payments count on, a year", "role": "primary", "order": 5},
}


def simulate(ctx):
    return vpw(ctx, rate=ctx.inputs.real_return)
