"""Holds 90% SPY and 10% SHY.
Decides on the last session of each year and trades at the same close.
The shares are those of the Buffett 90/10 (Warren Buffett's letter to shareholders of 2013).
"""

NAME = "Buffett 90/10"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "SHY"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.9, 0.1],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
