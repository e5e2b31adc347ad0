"""Holds 70% SPY and 30% IEF.
Bought once, on the first session, at the same close, and never rebalanced.
"""

NAME = "70% SPY and 30% IEF"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "IEF"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.7, 0.3],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    if ctx.last_decision is not None:
        return None  # bought once
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
