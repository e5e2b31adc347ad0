"""Holds SPY, TLT and GLD weighted for the lowest variance of the whole, measured over 252
sessions.
Each member is held only while it is above its 200-session moving average; otherwise its share
goes to BIL.
No member gets more than 40%, except what is held otherwise; the weights are the best of those
that keep this cap.
Decides on the last session of each month and trades at the same close.
No lookback of risk was given, so it is measured over 252 sessions.
"""
from harness import min_variance, sma

NAME = "SPY, TLT and GLD, minimum variance, each while it is above its 200-session moving average"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD", "BIL"],
        "title": "Universe", "role": "primary", "order": 1},
    "average": {"type": "integer", "default": 200, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 2},
    "safe": {"type": "string", "default": "BIL",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 3},
    "risk_lookback": {"type": "integer", "default": 252, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 4},
    "cap": {"type": "number", "default": 0.4, "minimum": 0.01, "maximum": 1.0,
        "title": "Cap", "description": "The largest weight of a member", "role": "primary", "order": 5},
}


def passes(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    need = max(ctx.inputs.average, ctx.inputs.risk_lookback + 1)
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    winners = [s for s in pool if passes(ctx, s)]
    share = len(winners) / max(len(pool), 1)  # each that passes keeps its own part
    limit = min(1.0, ctx.inputs.cap / max(share, 0.0001))  # of the part that is held
    target = min_variance(ctx.panel(winners, ctx.inputs.risk_lookback), upper=limit, total=min(1.0, limit * max(len(winners), 1)))
    target = {s: x * share for s, x in target.items()}
    left = 1.0 - share
    if left > 0:
        target[ctx.inputs.safe] = target.get(ctx.inputs.safe, 0.0) + left
    return target
