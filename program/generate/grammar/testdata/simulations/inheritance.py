"""Simulates 30 years from 1,000,000 in SPY, rebalanced monthly.
Withdraws 40,000 a year, rising with inflation.
Receives 200,000 in year 10 (inheritance), in prices of the start.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
Year 1 of the plan is 2026.
"""
from harness import flows, withdraw_fixed

NAME = "40,000 a year, 30 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 3},
    "amount": {"type": "number", "default": 40000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Withdrawal", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 4},
}


def simulate(ctx):
    dated = flows(ctx, [
        {"first": 10, "last": 10, "amount": -200000.0},  # inheritance
    ])
    return withdraw_fixed(ctx, amount=ctx.inputs.amount) + dated
