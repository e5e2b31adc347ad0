"""Holds the 2 of SPY, EFA and EEM with the highest return over 126 sessions, with equal weights.
If no member has a return over 126 sessions above zero, the model holds BIL.
Decides on the last session of each month and trades at the same close.
Trades only when the distance of a weight from its target is more than 5 percentage points of
equity: a target of 50% may drift between 45% and 55%.
"""
from harness import drifted, equal_weight, momentum, top

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
    "band": {"type": "number", "default": 0.05, "minimum": 0.001, "maximum": 1.0,
        "title": "Band", "description": "Fraction of equity that a weight may be away from its target", "role": "primary", "order": 5},
}


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1)) for s in pool}
    if not scores:
        return None
    chosen = top(scores, ctx.inputs.hold)
    if max(list(scores.values())) <= 0:
        target = {ctx.inputs.safe: 1.0}  # none of them rises
    else:
        target = equal_weight(chosen)
    if ctx.last_decision is not None and not drifted(ctx.weights, target, ctx.inputs.band):
        return None  # near enough
    return target
