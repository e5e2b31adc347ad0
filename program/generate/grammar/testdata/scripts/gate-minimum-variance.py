"""Holds SPY, TLT and GLD weighted for the lowest variance of the whole, measured over 120
sessions.
This is held only while SPY is above its 200-session moving average; otherwise the model holds
CASH.
Decides every Friday and trades at the close of the next session.
"""
from harness import min_variance, sma

NAME = "SPY, TLT and GLD, minimum variance while SPY is above its 200-session moving average"
SCHEDULE = {"every": "weekly", "weekday": "fri"}
FILL = "next_close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 2},
    "average": {"type": "integer", "default": 200, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 3},
    "risk_lookback": {"type": "integer", "default": 120, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 4},
}


def holds(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < ctx.inputs.average:
        return None
    need = ctx.inputs.risk_lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    if holds(ctx, ctx.inputs.signal):
        target = min_variance(ctx.panel(pool, ctx.inputs.risk_lookback))
    else:
        target = {}
    return target
