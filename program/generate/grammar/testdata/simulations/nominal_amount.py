"""Simulates 20 years from 1,000,000 in SPY, rebalanced monthly.
Pays out 40,000 a year in years 1 to 20, not adjusted for inflation.
"""
from harness import flows

NAME = "40,000 a year, 20 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 20,
        "title": "Years", "role": "primary", "order": 3},
}


def simulate(ctx):
    dated = flows(ctx, [
        {"first": 1, "last": ctx.inputs.years, "amount": 40000.0, "real": False},
    ])
    return dated
