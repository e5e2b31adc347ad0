"""Simulates 25 years from 1,000,000 in 60% VTI and 40% BND, rebalanced monthly.
Withdraws 5% of the value a year.
"""
from harness import withdraw_percentage

NAME = "5% of the value, 25 years in 60% VTI and 40% BND"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "BND"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 25,
        "title": "Years", "role": "primary", "order": 4},
    "rate": {"type": "number", "default": 0.05, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 5},
}


def simulate(ctx):
    return withdraw_percentage(ctx, rate=ctx.inputs.rate)
