"""Holds 90% SPY and 10% GOLD.
Decides on the last session of each month and trades at the same close.
"""

NAME = "90% SPY and 10% GOLD"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "GOLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.9, 0.1],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
