"""Holds 30% VTI, 40% TLT, 15% IEF, 7.5% GLD and 7.5% DBC.
Decides on the last session of each quarter and trades at the same close.
The shares are those of the All Weather (Ray Dalio in Tony Robbins, Money: Master the Game,
2014).
"""

NAME = "All Weather"
SCHEDULE = "quarterly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "TLT", "IEF", "GLD", "DBC"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.3, 0.4, 0.15, 0.075, 0.075],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
