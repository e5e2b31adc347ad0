"""Holds 50% SPY, 20% GLD and 30% BIL.
Decides on the last session of each month and trades at the same close.
"""

NAME = "50% SPY, 20% GLD and 30% BIL"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "GLD", "BIL"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.5, 0.2, 0.3],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
