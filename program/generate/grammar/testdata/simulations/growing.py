"""Simulates 30 years from nothing in 80% SPY and 20% AGG, rebalanced monthly.
Pays in 12,000 in the first year, growing by 3% a year.
It starts with nothing.
"""
from harness import contribute

NAME = "Saving 12,000 a year, 30 years in 80% SPY and 20% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.8, 0.2],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 0.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 4},
    "saving": {"type": "number", "default": 12000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Saving", "description": "In the first year", "unit": "usd", "role": "primary", "order": 5},
    "growth": {"type": "number", "default": 0.03, "minimum": 0.0, "maximum": 1.0,
        "title": "Growth of the saving", "description": "A year, as a fraction", "role": "primary", "order": 6},
}


def simulate(ctx):
    return contribute(ctx, amount=ctx.inputs.saving, growth=ctx.inputs.growth)
