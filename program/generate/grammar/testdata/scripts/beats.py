"""Holds QQQ.
This is held only while the return of SPY over 252 sessions is above that of BIL; otherwise the
model holds IEF.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight, momentum

NAME = "QQQ while the return of SPY over 252 sessions is above that of BIL"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["QQQ", "IEF", "SPY", "BIL"],
        "title": "Universe", "role": "primary", "order": 1},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 2},
    "trend": {"type": "integer", "default": 252, "minimum": 2, "maximum": 1260,
        "title": "Trend lookback", "unit": "sessions", "role": "primary", "order": 3},
    "rival": {"type": "string", "default": "BIL",
        "title": "Rival", "description": "The member whose return has to be beaten", "role": "advanced", "order": 4},
    "safe": {"type": "string", "default": "IEF",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 5},
}


def holds(ctx, s):
    # The return over the trend's lookback.
    return momentum(ctx.prices(s, ctx.inputs.trend + 1)) > momentum(ctx.prices(ctx.inputs.rival, ctx.inputs.trend + 1))


def decide(ctx):
    apart = [ctx.inputs.signal, ctx.inputs.rival, ctx.inputs.safe]
    pool = [s for s in ctx.universe if s not in apart]
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < ctx.inputs.trend + 1:
        return None
    if ctx.sessions(ctx.inputs.rival) < ctx.inputs.trend + 1:
        return None
    if holds(ctx, ctx.inputs.signal):
        target = equal_weight(pool)
    else:
        target = {ctx.inputs.safe: 1.0}
    return target
