"""Holds 60% VTI and 40% AGG.
Decided on the last session of the month and filled at the same close.
"equity" is taken as VTI.
"fixed income" is taken as AGG.
"""

NAME = "60% VTI and 40% AGG"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
