"""Holds the 2 of SPY, EFA and EEM with the highest average of the returns over 21, 63 and 126
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
    "lookbacks": {"type": "array", "default": [21, 63, 126],
        "title": "Momentum lookbacks", "description": "The score is the mean of the returns over them", "unit": "sessions", "role": "primary", "order": 2},
    "hold": {"type": "integer", "default": 2, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 3},
}


def score(ctx, s):
    # The mean of the returns over the lookbacks.
    returns = [momentum(ctx.prices(s, int(n) + 1)) for n in ctx.inputs.lookbacks]
    return sum(returns) / len(returns)


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = int(max(ctx.inputs.lookbacks)) + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: score(ctx, s) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    target = equal_weight(chosen)
    return target
