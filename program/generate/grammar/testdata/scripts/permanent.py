"""Holds 25% VTI, 25% TLT, 25% BIL and 25% GLD.
Decides on the last session of each year and trades at the same close.
The shares are those of the Permanent Portfolio (Harry Browne, Fail-Safe Investing, 1999).
"""

NAME = "Permanent Portfolio"
SCHEDULE = "yearly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "TLT", "BIL", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.25, 0.25, 0.25, 0.25],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
