"""Simulates 30 years from 1,000,000 in 60% SPY and 40% AGG, rebalanced monthly.
Withdraws 50,000 a year, rising with inflation.
Receives 20,000 a year in years 10 to 30 (pension), in prices of the start.
Pays out 50,000 in year 5 (expense), in prices of the start.
"""
from harness import flows, withdraw_fixed

NAME = "50,000 a year, 30 years in 60% SPY and 40% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 4},
    "amount": {"type": "number", "default": 50000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Withdrawal", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 5},
}


def simulate(ctx):
    dated = flows(ctx, [
        {"first": 10, "last": ctx.inputs.years, "amount": -20000.0},  # pension
        {"first": 5, "last": 5, "amount": 50000.0},  # expense
    ])
    return withdraw_fixed(ctx, amount=ctx.inputs.amount) + dated
