"""Simulates 20 years from nothing in 90% SPY and 10% AGG, rebalanced monthly.
The weights move in a straight line to 50% SPY and 50% AGG over 20 years.
Pays in 12,000 a year, rising with inflation.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
It starts with nothing.
"""
from harness import contribute

NAME = "Saving 12,000 a year, 20 years in 90% SPY and 10% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.9, 0.1],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "last_weights": {"type": "array", "default": [0.5, 0.5],
        "title": "Last weights", "description": "Where the weights go, in the order of the universe", "role": "primary", "order": 3},
    "glide_years": {"type": "integer", "default": 20, "minimum": 1, "maximum": 200,
        "title": "Years of the glide path", "unit": "years", "role": "primary", "order": 4},
    "start_value": {"type": "number", "default": 0.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 5},
    "years": {"type": "integer", "default": 20,
        "title": "Years", "role": "primary", "order": 6},
    "saving": {"type": "number", "default": 12000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Saving", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 7},
}


def simulate(ctx):
    done = min(1, ctx.step / ctx.inputs.glide_years)
    weights = {}
    for key, first, last in zip(ctx.inputs.universe, ctx.inputs.weights, ctx.inputs.last_weights):
        weights[key] = first + (last - first) * done
    return {"withdraw": contribute(ctx, amount=ctx.inputs.saving), "weights": weights}
