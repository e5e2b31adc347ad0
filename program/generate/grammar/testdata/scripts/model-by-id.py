"""Holds 50% model_0190d5e47c1a7b3e8f00000000000005 and 50% AGG.
Decides on the last session of each month and trades at the same close.
model_0190d5e47c1a7b3e8f00000000000005 is the model "My own index".
"""

NAME = "50% model_0190d5e47c1a7b3e8f00000000000005 and 50% AGG"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["model_0190d5e47c1a7b3e8f00000000000005", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.5, 0.5],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
