"""Holds the 2 of SPY, EFA and EEM with the highest return over 252 sessions without the last 21
sessions, with equal weights.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight, momentum, top

NAME = "Top 2 of SPY, EFA and EEM"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM"],
        "title": "Universe", "role": "primary", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 2, "maximum": 1260,
        "title": "Momentum lookback", "unit": "sessions", "role": "primary", "order": 2},
    "skip": {"type": "integer", "default": 21, "minimum": 0, "maximum": 252,
        "title": "Skipped sessions", "unit": "sessions", "role": "primary", "order": 3},
    "hold": {"type": "integer", "default": 2, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 4},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1), ctx.inputs.skip) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    target = equal_weight(chosen)
    return target
