"""Holds 50% VTI, 30% VXUS and 20% BND.
Decides on the last session of each year and trades at the same close.
The shares are those of the Three-Fund Portfolio (the shares of 50, 30 and 20 % that are
commonly listed for the Bogleheads' three funds; the authors leave them open).
"""

NAME = "Three-Fund Portfolio"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "VXUS", "BND"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.5, 0.3, 0.2],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
