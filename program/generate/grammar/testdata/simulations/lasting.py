"""Simulates 30 years from 1,000,000 in 60% SPY and 40% AGG, rebalanced monthly.
Withdraws 40,000 a year, rising with inflation.
How long the money lasts: the scalar success is the chance that it lasts to the end, and the
column alive of the table bands has that chance by month.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
"""
from harness import withdraw_fixed

NAME = "40,000 a year, 30 years in 60% SPY and 40% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 4},
    "amount": {"type": "number", "default": 40000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Withdrawal", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 5},
}


def simulate(ctx):
    return withdraw_fixed(ctx, amount=ctx.inputs.amount)
