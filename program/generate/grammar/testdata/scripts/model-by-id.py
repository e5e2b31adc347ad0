"""Holds 50% 0190d5e4-7c1a-7b3e-8f00-000000000005 and 50% AGG.
Decided on the last session of the month and filled at the same close.
0190d5e4-7c1a-7b3e-8f00-000000000005 is the model "My own index".
"""

NAME = "50% 0190d5e4-7c1a-7b3e-8f00-000000000005 and 50% AGG"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["0190d5e4-7c1a-7b3e-8f00-000000000005", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.5, 0.5],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
