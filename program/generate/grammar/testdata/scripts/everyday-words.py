"""Holds 60% SPY, 30% AGG and 10% GLD.
Decides on the last session of each month and trades at the same close.
"s&p 500" means SPY.
"us bonds" means AGG.
"gold" means GLD.
"""

NAME = "60% SPY, 30% AGG and 10% GLD"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.3, 0.1],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
