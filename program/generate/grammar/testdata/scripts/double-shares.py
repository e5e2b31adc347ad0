"""Holds 200% SPY.
This is held only while SPY is above its 200-session moving average; otherwise the model holds
BIL.
Decides on the last session of each month and trades at the same close.
"""
from harness import sma

NAME = "200% SPY while it is above its 200-session moving average"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "BIL"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [2.0],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 3},
    "average": {"type": "integer", "default": 200, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 4},
    "safe": {"type": "string", "default": "BIL",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 5},
}


def holds(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def decide(ctx):
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < ctx.inputs.average:
        return None
    if holds(ctx, ctx.inputs.signal):
        # Fractions of equity; what they leave is CASH.
        target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    else:
        target = {ctx.inputs.safe: 1.0}
    return target
