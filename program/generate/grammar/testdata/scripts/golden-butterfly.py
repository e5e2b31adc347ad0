"""Holds 20% VTI, 20% VBR, 20% TLT, 20% SHY and 20% GLD.
Decides on the last session of each year and trades at the same close.
The shares are those of the Golden Butterfly (Tyler, Portfolio Charts, 2016).
"""

NAME = "Golden Butterfly"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "VBR", "TLT", "SHY", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.2, 0.2, 0.2, 0.2, 0.2],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
