"""Holds 20% VTI, 20% VEU, 20% BND, 20% VNQ and 20% DBC.
Decides on the last session of each year and trades at the same close.
The shares are those of the Ivy Portfolio (Mebane Faber and Eric Richardson, The Ivy Portfolio,
2009).
"""

NAME = "Ivy Portfolio"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "VEU", "BND", "VNQ", "DBC"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.2, 0.2, 0.2, 0.2, 0.2],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
