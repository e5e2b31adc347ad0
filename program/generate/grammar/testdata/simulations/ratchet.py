"""Simulates 30 years from 1,000,000 in SPY, rebalanced monthly.
Withdraws 4% of the start value a year, rising with inflation, and 10% more for good after each
year that begins above 150% of it in real money.
"""
from harness import ratchet

NAME = "4% with a ratchet, 30 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 3},
    "rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 4},
    "raise_by": {"type": "number", "default": 0.1, "minimum": 0.0, "maximum": 1.0,
        "title": "Raise", "description": "As a fraction of the spending", "role": "primary", "order": 5},
    "above": {"type": "number", "default": 1.5, "minimum": 0.01, "maximum": 100.0,
        "title": "Raised above", "description": "Real value, as a multiple of the start", "role": "primary", "order": 6},
}


def simulate(ctx):
    return ratchet(ctx, rate=ctx.inputs.rate, raise_by=ctx.inputs.raise_by, above=ctx.inputs.above)
