"""Holds SPY and TLT weighted by inverse volatility over 60 sessions.
Decides on the last session of each month and trades at the same close.
"weighted by volatility" means inverse volatility: the less volatile a member, the larger its
weight.
No lookback of risk was given, so it is measured over 60 sessions.
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
