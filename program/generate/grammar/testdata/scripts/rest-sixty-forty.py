"""Holds 10% GLD, 54% SPY and 36% AGG.
Decides on the last session of each month and trades at the same close.
"""

NAME = "10% GLD, 54% SPY and 36% AGG"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["GLD", "SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.1, 0.54, 0.36],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
