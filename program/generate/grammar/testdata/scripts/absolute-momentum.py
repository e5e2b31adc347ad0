"""Holds SPY.
This is held only while the return of SPY over 252 sessions is above zero; otherwise the model
holds AGG.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight, momentum

NAME = "SPY while its return over 252 sessions is above zero"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 2},
    "trend": {"type": "integer", "default": 252, "minimum": 2, "maximum": 1260,
        "title": "Trend lookback", "unit": "sessions", "role": "primary", "order": 3},
    "safe": {"type": "string", "default": "AGG",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 4},
}


def holds(ctx, s):
    # The return over the trend's lookback.
    return momentum(ctx.prices(s, ctx.inputs.trend + 1)) > 0


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < ctx.inputs.trend + 1:
        return None
    if holds(ctx, ctx.inputs.signal):
        target = equal_weight(pool)
    else:
        target = {ctx.inputs.safe: 1.0}
    return target
