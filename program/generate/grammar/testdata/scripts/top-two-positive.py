"""Holds the 2 of SPY, EFA and EEM with the highest return over 126 sessions, with equal weights.
A member is held only if its return over 126 sessions is above zero; otherwise its share goes to
BIL.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight, momentum, top

NAME = "Top 2 of SPY, EFA and EEM"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "BIL"],
        "title": "Universe", "role": "primary", "order": 1},
    "lookback": {"type": "integer", "default": 126, "minimum": 2, "maximum": 1260,
        "title": "Momentum lookback", "unit": "sessions", "role": "primary", "order": 2},
    "hold": {"type": "integer", "default": 2, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 3},
    "safe": {"type": "string", "default": "BIL",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 4},
}


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1)) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    winners = [s for s in chosen if scores[s] > 0]
    share = len(winners) / max(len(chosen), 1)  # each that passes keeps its own part
    target = equal_weight(winners, share)
    left = 1.0 - share
    if left > 0:
        target[ctx.inputs.safe] = target.get(ctx.inputs.safe, 0.0) + left
    return target
