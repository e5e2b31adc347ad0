"""Holds 60% SPY and 40% AGG.
Decides on the last session of June and December and trades at the same close.
"""

NAME = "60% SPY and 40% AGG"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
}


def decide(ctx):
    if ctx.last_decision is not None and ctx.date[5:7] not in ["06", "12"]:
        return None  # not one of its months
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    return target
