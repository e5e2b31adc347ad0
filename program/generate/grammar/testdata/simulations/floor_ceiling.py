"""Simulates 30 years from 1,000,000 in SPY, rebalanced monthly.
Withdraws 5% of the value a year, but in real money at least 85% and at most 120% of the first
withdrawal.
"""
from harness import withdraw_floor_ceiling

NAME = "5% with floor and ceiling, 30 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 3},
    "rate": {"type": "number", "default": 0.05, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 4},
    "floor": {"type": "number", "default": 0.85, "minimum": 0.0, "maximum": 10.0,
        "title": "Floor", "description": "Of the first withdrawal in real money, as a fraction", "role": "primary", "order": 5},
    "ceiling": {"type": "number", "default": 1.2, "minimum": 0.0, "maximum": 10.0,
        "title": "Ceiling", "description": "Of the first withdrawal in real money, as a fraction", "role": "primary", "order": 6},
}


def simulate(ctx):
    return withdraw_floor_ceiling(ctx, rate=ctx.inputs.rate, floor=ctx.inputs.floor, ceiling=ctx.inputs.ceiling)
