"""Simulates 35 years from 800,000 in 60% VTI and 40% BND, rebalanced monthly.
Withdraws 36,000 a year, rising with inflation.
Receives 24,000 a year in years 8 to 35 (social security), in prices of the start.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
"""
from harness import flows, withdraw_fixed

NAME = "36,000 a year, 35 years in 60% VTI and 40% BND"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "BND"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 800000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 35,
        "title": "Years", "role": "primary", "order": 4},
    "amount": {"type": "number", "default": 36000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Withdrawal", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 5},
}


def simulate(ctx):
    dated = flows(ctx, [
        {"first": 8, "last": ctx.inputs.years, "amount": -24000.0},  # social security
    ])
    return withdraw_fixed(ctx, amount=ctx.inputs.amount) + dated
