"""Holds 50% GEM and 50% SPY.
Decides on the last session of each month and trades at the same close.
"""

NAME = "50% GEM and 50% SPY"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["GEM", "SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.5, 0.5],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
