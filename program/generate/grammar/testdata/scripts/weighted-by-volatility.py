"""Holds SPY and TLT, weighted by inverse volatility over 60 sessions.
Decided on the last session of the month and filled at the same close.
"weighted by volatility" is taken as inverse volatility: the less volatile, the more.
Risk is measured over 60 sessions, as nothing else was said.
"""
from harness import inverse_volatility

NAME = "SPY and TLT, inverse volatility"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT"],
        "title": "Universe", "role": "primary", "order": 1},
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 2},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.risk_lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    target = inverse_volatility(ctx.panel(pool, ctx.inputs.risk_lookback))
    return target
