"""Simulates 30 years from 1,000,000 in 60% SPY and 40% AGG, rebalanced monthly.
Withdraws 4% of the start value a year, rising with inflation.
There is one path for each past month in which the plan could have started, with history as it
was.
Months before 1970 are left out; data that begin later count from their beginning.
"60/40" means stocks and bonds.
No length was given, so 30 years are simulated.
No withdrawal was given, so the plan withdraws 4% of the start value a year, rising with
inflation.
No start value was given, so it is 1,000,000.
"""
from harness import withdraw_fixed

NAME = "4% of the start value, 30 years in 60% SPY and 40% AGG"

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
    "source": {"type": "string", "default": "history",
        "title": "Source of returns", "role": "advanced", "order": 6},
    "since": {"type": "integer", "default": 1970,
        "title": "First year of data", "role": "advanced", "order": 7},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
