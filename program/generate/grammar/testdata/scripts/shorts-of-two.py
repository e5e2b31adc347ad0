"""Holds 150% VTI, 25% EFA sold short and 25% TLT sold short.
Decides on the last session of each month and trades at the same close.
"""

NAME = "150% VTI, -25% EFA and -25% TLT"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "EFA", "TLT"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [1.5, -0.25, -0.25],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
