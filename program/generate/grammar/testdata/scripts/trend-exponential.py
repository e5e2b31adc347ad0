"""Holds SPY.
This is held only while SPY is above its 100-session exponential moving average; otherwise the
model holds CASH.
Decides on the last session of each week and trades at the same close.
"""
from harness import ema, equal_weight

NAME = "SPY while it is above its 100-session exponential moving average"
SCHEDULE = "weekly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 2},
    "average": {"type": "integer", "default": 100, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 3},
}


def holds(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, 5 * ctx.inputs.average)
    return prices.last() > ema(prices, ctx.inputs.average)


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < ctx.inputs.average:
        return None
    if holds(ctx, ctx.inputs.signal):
        target = equal_weight(pool)
    else:
        target = {}
    return target
