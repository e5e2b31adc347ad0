"""Simulates 20 years from 1,000,000 in SPY, rebalanced monthly.
Withdraws 4% of the value a year.
How much is decided quarterly.
"""
from harness import withdraw_percentage

NAME = "4% of the value, 20 years in SPY"
STEP = "quarterly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 20,
        "title": "Years", "role": "primary", "order": 3},
    "rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 4},
}


def simulate(ctx):
    return withdraw_percentage(ctx, rate=ctx.inputs.rate)
