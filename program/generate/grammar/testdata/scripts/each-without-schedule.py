"""Holds SPY, EFA and IEF with equal weights.
Each member is held only while it is above its 210-session moving average; otherwise its share
goes to CASH.
Decides on every session and trades at the same close.
No schedule was given, so the condition is checked daily.
"""
from harness import equal_weight, sma

NAME = "SPY, EFA and IEF, equal weights, each while it is above its 210-session moving average"
SCHEDULE = "daily"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "IEF"],
        "title": "Universe", "role": "primary", "order": 1},
    "average": {"type": "integer", "default": 210, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 2},
}


def passes(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.average
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    winners = [s for s in pool if passes(ctx, s)]
    share = len(winners) / max(len(pool), 1)  # each that passes keeps its own part
    target = equal_weight(winners, share)
    return target
