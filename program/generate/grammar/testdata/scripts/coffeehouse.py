"""Holds 10% SPY, 10% VTV, 10% VB, 10% VBR, 10% VXUS, 10% VNQ and 40% BND.
Decides on the last session of each year and trades at the same close.
The shares are those of the Coffeehouse Portfolio (Bill Schultheis, The Coffeehouse Investor,
1998).
"""

NAME = "Coffeehouse Portfolio"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "VTV", "VB", "VBR", "VXUS", "VNQ", "BND"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
