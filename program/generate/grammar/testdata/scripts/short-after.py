"""Holds 130% SPY and 30% IWM sold short.
Decides on the last session of each month and trades at the same close.
"""

NAME = "130% SPY and -30% IWM"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "IWM"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [1.3, -0.3],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
