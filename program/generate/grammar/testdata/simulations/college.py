"""Simulates 13 years from 50,000 in 60% SPY and 40% AGG, rebalanced monthly.
Pays out 40,000 a year in years 9 to 13, in prices of the start.
No members were named, so 60% stocks and 40% bonds are assumed.
Year 1 of the plan is 2026.
The plan ends with its last payment, after 13 years.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
"""
from harness import flows

NAME = "College fund, 13 years in 60% SPY and 40% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 50000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 13,
        "title": "Years", "role": "primary", "order": 4},
}


def simulate(ctx):
    dated = flows(ctx, [
        {"first": 9, "last": 13, "amount": 40000.0},
    ])
    return dated
