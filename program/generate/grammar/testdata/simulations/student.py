"""Simulates 25 years from 1,000,000 in 60% SPY and 40% AGG, rebalanced monthly.
Withdraws 4% of the start value a year, rising with inflation.
Futures are drawn from a Student t distribution fitted to the months.
20,000 paths are computed.
4% is of the value at the start of the withdrawals; say 4% of the portfolio each year for a
share of what is there.
Withdrawals rise with inflation, unless it is said that they do not.
"""
from harness import withdraw_fixed

NAME = "4% of the start value, 25 years in 60% SPY and 40% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 25,
        "title": "Years", "role": "primary", "order": 4},
    "rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 5},
    "paths": {"type": "integer", "default": 20000,
        "title": "Paths", "role": "advanced", "order": 6},
    "source": {"type": "string", "default": "student_t",
        "title": "Source of returns", "role": "advanced", "order": 7},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
