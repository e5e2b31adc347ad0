"""Holds 50% SPY and 50% CASH.
Bought once, on the first session, at the same close, and never rebalanced.
"""

NAME = "50% SPY"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.5],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    if ctx.last_decision is not None:
        return None  # bought once
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
