"""Holds 60% SPY and 40% AGG.
All weights are multiplied by 1.5.
Decides on the last session of each month and trades at the same close.
"""

NAME = "60% SPY and 40% AGG"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
    "leverage": {"type": "number", "default": 1.5, "minimum": 0.1, "maximum": 10.0,
        "title": "Leverage", "description": "What all weights are multiplied by", "role": "primary", "order": 3},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    target = {s: x * ctx.inputs.leverage for s, x in target.items()}
    return target
