"""Simulates 40 years from 1,000,000 in 60% SPY and 40% AGG, rebalanced monthly.
Withdraws 4% of the start value a year, rising with inflation.
How much can be spent: the table rates has the chance of success of each rate. The answer is the
highest rate with a success of at least 90%, times 1,000,000, a year.
No members were named, so 60% stocks and 40% bonds are assumed.
No withdrawal was given, so the plan withdraws 4% of the start value a year, rising with
inflation.
"""
from harness import withdraw_fixed

NAME = "Spending from 1,000,000, 40 years in 60% SPY and 40% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 40,
        "title": "Years", "role": "primary", "order": 4},
    "rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 5},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
