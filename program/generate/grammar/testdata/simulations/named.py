"""Simulates 30 years from 1,000,000 in SPY, rebalanced monthly.
Withdraws 4% of the start value a year, rising with inflation.
4% is of the value at the start of the withdrawals; say 4% of the portfolio each year for a
share of what is there.
Withdrawals rise with inflation, unless it is said that they do not.
"""
from harness import withdraw_fixed

NAME = "My plan"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 3},
    "rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 4},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
