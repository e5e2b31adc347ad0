"""Holds the 3 of SPY, EFA, EEM, TLT and GLD with the highest return over 126 sessions, weighted by
inverse volatility over 60 sessions.
Decides on the last session of each month and trades at the same close.
"""
from harness import inverse_volatility, momentum, top

NAME = "Top 3 of SPY, EFA, EEM, TLT and GLD, inverse volatility"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "TLT", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "lookback": {"type": "integer", "default": 126, "minimum": 2, "maximum": 1260,
        "title": "Momentum lookback", "unit": "sessions", "role": "primary", "order": 2},
    "hold": {"type": "integer", "default": 3, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 3},
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 4},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = max(ctx.inputs.lookback + 1, ctx.inputs.risk_lookback + 1)
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1)) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    target = inverse_volatility(ctx.panel(chosen, ctx.inputs.risk_lookback))
    return target
