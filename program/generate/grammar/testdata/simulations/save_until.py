"""Simulates 30 years from nothing in 60% SPY and 40% AGG, rebalanced monthly.
Pays in 12,000 a year, rising with inflation.
Saving stops in the month that begins with a value of 500,000 in prices of the start; the table
recorded has the share of paths that have reached it, by month.
No members were named, so 60% stocks and 40% bonds are assumed.
No length was given, so 30 years are simulated.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
It starts with nothing.
"""
from harness import contribute

NAME = "Saving 12,000 a year for 500,000, 30 years in 60% SPY and 40% AGG"
STEP = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 0.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 4},
    "saving": {"type": "number", "default": 12000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Saving", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 5},
    "goal": {"type": "number", "default": 500000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Goal", "description": "In prices of the start", "unit": "usd", "role": "primary", "order": 6},
}


def simulate(ctx):
    reached = ctx.last_withdrawal == 0 or ctx.real_value >= ctx.inputs.goal
    ctx.record("reached", reached)
    if reached:
        return 0
    return contribute(ctx, amount=ctx.inputs.saving)
