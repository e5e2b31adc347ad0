"""Simulates 30 years from 1,000,000 in 60% SPY and 40% AGG, rebalanced monthly.
Withdraws 4% of the start value a year, rising with inflation.
How much can be spent: the scalar safe_rate is the rate that 95% of the futures can pay, or
every past start with history; times 1,000,000 it is the money a year. The table rates has the
chance of success of each rate.
No withdrawal was given, so the plan withdraws 4% of the start value a year, rising with
inflation.
"""
from harness import withdraw_fixed

NAME = "Spending from 1,000,000, 30 years in 60% SPY and 40% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 4},
    "rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 5},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
