"""Holds the one of SPY and VEU with the highest return over 252 sessions.
This is held only while the return of SPY over 252 sessions is above that of BIL; otherwise the
model holds AGG.
Decides on the last session of each month and trades at the same close.
The rules are those of Global Equities Momentum (Gary Antonacci, Dual Momentum Investing, 2014:
the better of two where the first beats bills over 12 months, bonds otherwise).
Treasury bills are BIL.
No schedule was given, so decisions are monthly, as they are in Global Equities Momentum.
"""
from harness import equal_weight, momentum, top

NAME = "Global Equities Momentum"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "VEU", "AGG", "BIL"],
        "title": "Universe", "role": "primary", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 2, "maximum": 1260,
        "title": "Momentum lookback", "unit": "sessions", "role": "primary", "order": 2},
    "hold": {"type": "integer", "default": 1, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 3},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 4},
    "trend": {"type": "integer", "default": 252, "minimum": 2, "maximum": 1260,
        "title": "Trend lookback", "unit": "sessions", "role": "primary", "order": 5},
    "rival": {"type": "string", "default": "BIL",
        "title": "Rival", "description": "The member whose return has to be beaten", "role": "advanced", "order": 6},
    "safe": {"type": "string", "default": "AGG",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 7},
}


def holds(ctx, s):
    # The return over the trend's lookback.
    return momentum(ctx.prices(s, ctx.inputs.trend + 1)) > momentum(ctx.prices(ctx.inputs.rival, ctx.inputs.trend + 1))


def decide(ctx):
    apart = [ctx.inputs.rival, ctx.inputs.safe]
    pool = [s for s in ctx.universe if s not in apart]
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < ctx.inputs.trend + 1:
        return None
    if ctx.sessions(ctx.inputs.rival) < ctx.inputs.trend + 1:
        return None
    need = ctx.inputs.lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    if holds(ctx, ctx.inputs.signal):
        scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1)) for s in pool}
        chosen = top(scores, ctx.inputs.hold)
        target = equal_weight(chosen)
    else:
        target = {ctx.inputs.safe: 1.0}
    return target
