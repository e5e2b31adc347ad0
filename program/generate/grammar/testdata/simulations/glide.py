"""Simulates 30 years from 1,000,000 in 90% SPY and 10% AGG, rebalanced monthly.
The weights move in a straight line to 40% SPY and 60% AGG over 30 years.
Withdraws 4% of the start value a year, rising with inflation.
4% is of the value at the start of the withdrawals; say 4% of the portfolio each year for a
share of what is there.
Withdrawals rise with inflation, unless it is said that they do not.
"""
from harness import withdraw_fixed

NAME = "4% of the start value, 30 years in 90% SPY and 10% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.9, 0.1],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "last_weights": {"type": "array", "default": [0.4, 0.6],
        "title": "Last weights", "description": "Where the weights go, in the order of the universe", "role": "primary", "order": 3},
    "glide_years": {"type": "integer", "default": 30, "minimum": 1, "maximum": 200,
        "title": "Years of the glide path", "unit": "years", "role": "primary", "order": 4},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 5},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 6},
    "rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 7},
}


def simulate(ctx):
    done = min(1, ctx.step / ctx.inputs.glide_years)
    weights = {}
    for key, first, last in zip(ctx.inputs.universe, ctx.inputs.weights, ctx.inputs.last_weights):
        weights[key] = first + (last - first) * done
    return {"withdraw": withdraw_fixed(ctx, rate=ctx.inputs.rate), "weights": weights}
