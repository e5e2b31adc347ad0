"""Holds 60% SPY and 40% AGG.
Decides on every session and trades at the same close.
Trades only when the distance of a weight from its target is more than 20% of its target: a
target of 60% SPY may drift between 48% and 72%.
No schedule was given, so the band is checked daily.
"""

NAME = "60% SPY and 40% AGG"
SCHEDULE = "daily"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
    "band": {"type": "number", "default": 0.2, "minimum": 0.001, "maximum": 1.0,
        "title": "Relative band", "description": "Fraction of its target that a weight may be away from it", "role": "primary", "order": 3},
}


def decide(ctx):
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    # The band is relative to each target.
    away = [s for s in ctx.inputs.universe
            if abs(ctx.weights.get(s, 0.0) - target.get(s, 0.0)) > ctx.inputs.band * abs(target.get(s, 0.0))]
    if ctx.last_decision is not None and not away:
        return None  # near enough
    return target
