"""Holds the one of SPY and EFA with the highest return over 252 sessions.
A member is held only if its return over 252 sessions is above that of BIL; otherwise its share
goes to AGG.
Decides on the last session of each month and trades at the same close.
Dual momentum looks at 12 months unless another lookback is given.
"""
from harness import equal_weight, momentum, top

NAME = "Top 1 of SPY and EFA"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "AGG", "BIL"],
        "title": "Universe", "role": "primary", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 2, "maximum": 1260,
        "title": "Momentum lookback", "unit": "sessions", "role": "primary", "order": 2},
    "hold": {"type": "integer", "default": 1, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 3},
    "hurdle": {"type": "string", "default": "BIL",
        "title": "Hurdle", "description": "Momentum has to be above that of this member", "role": "advanced", "order": 4},
    "safe": {"type": "string", "default": "AGG",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 5},
}


def decide(ctx):
    apart = [ctx.inputs.hurdle, ctx.inputs.safe]
    pool = [s for s in ctx.universe if s not in apart]
    # Nothing is held until what is looked at has its history.
    if ctx.sessions(ctx.inputs.hurdle) < ctx.inputs.lookback + 1:
        return None
    need = ctx.inputs.lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1)) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    hurdle = momentum(ctx.prices(ctx.inputs.hurdle, ctx.inputs.lookback + 1))
    winners = [s for s in chosen if scores[s] > hurdle]
    share = len(winners) / max(len(chosen), 1)  # each that passes keeps its own part
    target = equal_weight(winners, share)
    left = 1.0 - share
    if left > 0:
        target[ctx.inputs.safe] = target.get(ctx.inputs.safe, 0.0) + left
    return target
