"""Simulates 20 years from 1,000,000 in SPY, rebalanced monthly.
Withdraws 40,000 a year, rising with inflation.
"""
from harness import withdraw_fixed

NAME = "40,000 a year, 20 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 20,
        "title": "Years", "role": "primary", "order": 3},
    "amount": {"type": "number", "default": 40000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Withdrawal", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 4},
}


def simulate(ctx):
    return withdraw_fixed(ctx, amount=ctx.inputs.amount)
