"""Holds 25% SPY, 25% EFA, 25% AGG and 25% GLD.
Decides on the last session of each month and trades at the same close.
"""

NAME = "25% SPY, 25% EFA, 25% AGG and 25% GLD"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "AGG", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.25, 0.25, 0.25, 0.25],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
