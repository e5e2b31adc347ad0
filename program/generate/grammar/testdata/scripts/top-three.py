"""Holds the 3 of SPY, EFA, EEM, AGG and GLD with the highest return over 252 sessions, with equal
weights.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight, momentum, top

NAME = "Top 3 of SPY, EFA, EEM, AGG and GLD"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "AGG", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 2, "maximum": 1260,
        "title": "Momentum lookback", "unit": "sessions", "role": "primary", "order": 2},
    "hold": {"type": "integer", "default": 3, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 3},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1)) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    target = equal_weight(chosen)
    return target
