"""Holds SPY, TLT and GLD weighted for the lowest variance of the whole, measured over 252
sessions.
No member gets more than 20%; so at least 40% stays in CASH.
Decides on the last session of each month and trades at the same close.
No lookback of risk was given, so it is measured over 252 sessions.
"""
from harness import min_variance

NAME = "SPY, TLT and GLD, minimum variance"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "risk_lookback": {"type": "integer", "default": 252, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 2},
    "cap": {"type": "number", "default": 0.2, "minimum": 0.01, "maximum": 1.0,
        "title": "Cap", "description": "The largest weight of a member", "role": "primary", "order": 3},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.risk_lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    target = min_variance(ctx.panel(pool, ctx.inputs.risk_lookback), upper=ctx.inputs.cap, total=min(1.0, ctx.inputs.cap * max(len(pool), 1)))
    return target
