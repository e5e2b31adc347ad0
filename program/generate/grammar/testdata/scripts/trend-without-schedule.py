"""Holds SPY.
This is held only while SPY is above its 200-session moving average; otherwise the model holds
BIL.
Decides on every session and trades at the same close.
No schedule was given, so the condition is checked daily.
"""
from harness import equal_weight, sma

NAME = "SPY while it is above its 200-session moving average"
SCHEDULE = "daily"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "BIL"],
        "title": "Universe", "role": "primary", "order": 1},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 2},
    "average": {"type": "integer", "default": 200, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 3},
    "safe": {"type": "string", "default": "BIL",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 4},
}


def holds(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < ctx.inputs.average:
        return None
    if holds(ctx, ctx.inputs.signal):
        target = equal_weight(pool)
    else:
        target = {ctx.inputs.safe: 1.0}
    return target
