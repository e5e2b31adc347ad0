"""Holds the one of SPY and SCZ with the highest average of the returns over 21, 63 and 126
sessions.
A member is held only if its average of the returns over 21, 63 and 126 sessions is above zero;
otherwise its share goes to TLT.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight, momentum, top

NAME = "Top 1 of SPY and SCZ"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "SCZ", "TLT"],
        "title": "Universe", "role": "primary", "order": 1},
    "lookbacks": {"type": "array", "default": [21, 63, 126],
        "title": "Momentum lookbacks", "description": "The score is the mean of the returns over them", "unit": "sessions", "role": "primary", "order": 2},
    "hold": {"type": "integer", "default": 1, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 3},
    "safe": {"type": "string", "default": "TLT",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 4},
}


def score(ctx, s):
    # The mean of the returns over the lookbacks.
    returns = [momentum(ctx.prices(s, int(n) + 1)) for n in ctx.inputs.lookbacks]
    return sum(returns) / len(returns)


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    need = int(max(ctx.inputs.lookbacks)) + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: score(ctx, s) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    winners = [s for s in chosen if scores[s] > 0]
    share = len(winners) / max(len(chosen), 1)  # each that passes keeps its own part
    target = equal_weight(winners, share)
    left = 1.0 - share
    if left > 0:
        target[ctx.inputs.safe] = target.get(ctx.inputs.safe, 0.0) + left
    return target
