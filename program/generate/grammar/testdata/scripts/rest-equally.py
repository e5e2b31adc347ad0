"""Holds 40% SPY, 20% AGG, 20% GLD and 20% TIP.
Decides on the last session of each month and trades at the same close.
"""

NAME = "40% SPY, 20% AGG, 20% GLD and 20% TIP"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG", "GLD", "TIP"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.4, 0.19999999999999998, 0.19999999999999998, 0.19999999999999998],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
