"""Holds 60% SPY and 40% AGG.
Decides on the last session of each quarter and trades at the same close.
Trades only when the distance of a weight from its target is more than 5 percentage points of
equity: a target of 60% SPY may drift between 55% and 65%.
"""
from harness import drifted

NAME = "60% SPY and 40% AGG"
SCHEDULE = "quarterly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
    "band": {"type": "number", "default": 0.05, "minimum": 0.001, "maximum": 1.0,
        "title": "Band", "description": "Fraction of equity that a weight may be away from its target", "role": "primary", "order": 3},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    if ctx.last_decision is not None and not drifted(ctx.weights, target, ctx.inputs.band):
        return None  # near enough
    return target
