"""Holds 30% VTI, 15% VEA, 5% VWO, 20% VNQ, 15% IEF and 15% TIP.
Decides on the last session of each year and trades at the same close.
The shares are those of the Swensen Portfolio (David Swensen, Unconventional Success, 2005).
"""

NAME = "Swensen Portfolio"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "VEA", "VWO", "VNQ", "IEF", "TIP"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.3, 0.15, 0.05, 0.2, 0.15, 0.15],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
