"""Holds SPY, TLT, GLD and AGG weighted by inverse volatility over 60 sessions.
No member gets more than 40%; what is cut off goes to the others in proportion.
Decides on the last session of each month and trades at the same close.
"""
from harness import cap, inverse_volatility

NAME = "SPY, TLT, GLD and AGG, inverse volatility"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 2},
    "cap": {"type": "number", "default": 0.4, "minimum": 0.01, "maximum": 1.0,
        "title": "Cap", "description": "The largest weight of a member", "role": "primary", "order": 3},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.risk_lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    target = inverse_volatility(ctx.panel(pool, ctx.inputs.risk_lookback))
    target = cap(target, ctx.inputs.cap)
    return target
