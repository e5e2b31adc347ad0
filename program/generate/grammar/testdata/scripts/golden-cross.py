"""Holds SPY.
This is held only while the 50-session moving average of SPY is above its 200-session moving
average; otherwise the model holds AGG.
Decides on every session and trades at the same close.
"""
from harness import equal_weight, sma

NAME = "SPY while its 50-session moving average is above its 200-session moving average"
SCHEDULE = "daily"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 2},
    "fast": {"type": "integer", "default": 50, "minimum": 2, "maximum": 630,
        "title": "Fast moving average", "unit": "sessions", "role": "primary", "order": 3},
    "slow": {"type": "integer", "default": 200, "minimum": 3, "maximum": 1260,
        "title": "Slow moving average", "unit": "sessions", "role": "primary", "order": 4},
    "safe": {"type": "string", "default": "AGG",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 5},
}


def holds(ctx, s):
    # One moving average against the other.
    prices = ctx.prices(s, max(ctx.inputs.fast, ctx.inputs.slow))
    return sma(prices, ctx.inputs.fast) > sma(prices, ctx.inputs.slow)


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < max(ctx.inputs.fast, ctx.inputs.slow):
        return None
    if holds(ctx, ctx.inputs.signal):
        target = equal_weight(pool)
    else:
        target = {ctx.inputs.safe: 1.0}
    return target
