"""Holds SPY.
This is held only while the 14-session RSI of SPY is below 30; otherwise the model holds CASH.
Decides on every session and trades at the same close.
"""
from harness import equal_weight, rsi

NAME = "SPY while its 14-session RSI is below 30"
SCHEDULE = "daily"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "signal": {"type": "string", "default": "SPY",
        "title": "Signal", "description": "The member that the condition looks at", "role": "advanced", "order": 2},
    "rsi_lookback": {"type": "integer", "default": 14, "minimum": 2, "maximum": 252,
        "title": "RSI lookback", "unit": "sessions", "role": "primary", "order": 3},
    "level": {"type": "number", "default": 30.0, "minimum": 1.0, "maximum": 99.0,
        "title": "RSI level", "role": "primary", "order": 4},
}


def holds(ctx, s):
    # Wilder's index, over up to ten times its lookback so that its beginning fades.
    prices = ctx.prices(s, 10 * ctx.inputs.rsi_lookback + 1)
    return rsi(prices, ctx.inputs.rsi_lookback) < ctx.inputs.level


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.signal) < ctx.inputs.rsi_lookback + 1:
        return None
    if holds(ctx, ctx.inputs.signal):
        target = equal_weight(pool)
    else:
        target = {}
    return target
