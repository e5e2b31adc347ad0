"""Simulates 10 years from 1,000,000 in SPY, rebalanced quarterly.
Withdraws 3% of the start value a year, rising with inflation.
Futures are drawn from a normal distribution fitted to the months.
Withdrawals rise with inflation, unless it is said that they do not.
"""
from harness import withdraw_fixed

NAME = "3% of the start value, 10 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "rebalance": {"type": "string", "default": "quarterly",
        "title": "Rebalance", "role": "advanced", "order": 2},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 10,
        "title": "Years", "role": "primary", "order": 4},
    "rate": {"type": "number", "default": 0.03, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 5},
    "source": {"type": "string", "default": "normal",
        "title": "Source of returns", "role": "advanced", "order": 6},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
