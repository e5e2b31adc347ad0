"""Holds the 2 of SPY, EFA and EEM with the highest return over 126 sessions, weighted so that each
contributes the same risk, measured over 60 sessions.
A member is held only if its return over 126 sessions is above zero; otherwise its share goes to
BIL.
No member gets more than 60%, except what is held otherwise; the weights are the best of those
that keep this cap.
Decides on the last session of each week and trades at the same close.
"""
from harness import momentum, risk_parity, top

NAME = "Top 2 of SPY, EFA and EEM, risk parity"
SCHEDULE = "weekly"
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
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 5},
    "cap": {"type": "number", "default": 0.6, "minimum": 0.01, "maximum": 1.0,
        "title": "Cap", "description": "The largest weight of a member", "role": "primary", "order": 6},
}


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    need = max(ctx.inputs.lookback + 1, ctx.inputs.risk_lookback + 1)
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1)) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    winners = [s for s in chosen if scores[s] > 0]
    share = len(winners) / max(len(chosen), 1)  # each that passes keeps its own part
    limit = min(1.0, ctx.inputs.cap / max(share, 0.0001))  # of the part that is held
    target = risk_parity(ctx.panel(winners, ctx.inputs.risk_lookback), upper=limit, total=min(1.0, limit * max(len(winners), 1)))
    target = {s: x * share for s, x in target.items()}
    left = 1.0 - share
    if left > 0:
        target[ctx.inputs.safe] = target.get(ctx.inputs.safe, 0.0) + left
    return target
