"""Simulates 35 years from 1,000,000 in SPY, rebalanced monthly.
Withdraws 60,000 a year, rising with inflation.
Receives 24,000 a year in years 8 to 35 (social security), in prices of the start.
The plan begins at the age of 60.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
"""
from harness import flows, withdraw_fixed

NAME = "60,000 a year, 35 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 35,
        "title": "Years", "role": "primary", "order": 3},
    "amount": {"type": "number", "default": 60000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Withdrawal", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 4},
}


def simulate(ctx):
    dated = flows(ctx, [
        {"first": 8, "last": ctx.inputs.years, "amount": -24000.0},  # social security
    ])
    return withdraw_fixed(ctx, amount=ctx.inputs.amount) + dated
