"""Holds 36% VTI, 18% VXUS, 6% VNQ and 40% BND.
Decides on the last session of each year and trades at the same close.
The shares are those of the Core Four (Rick Ferri's Core-4, 60/40).
"""

NAME = "Core Four"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "VXUS", "VNQ", "BND"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.36, 0.18, 0.06, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
