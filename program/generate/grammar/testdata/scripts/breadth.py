"""Holds SPY, EFA, EEM and VNQ with equal weights.
This is held only while at least 50% of the members are above their 200-session moving averages;
otherwise the model holds IEF.
Decides on the last session of each week and trades at the same close.
"""
from harness import equal_weight, sma

NAME = "SPY, EFA, EEM and VNQ, equal weights while at least 50% of the members are above their 200-session …"
SCHEDULE = "weekly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "VNQ", "IEF"],
        "title": "Universe", "role": "primary", "order": 1},
    "average": {"type": "integer", "default": 200, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 2},
    "level": {"type": "number", "default": 0.5, "minimum": 0.01, "maximum": 1.0,
        "title": "Share that has to be above", "role": "primary", "order": 3},
    "safe": {"type": "string", "default": "IEF",
        "title": "Safe asset", "description": "Held instead", "role": "advanced", "order": 4},
}


def above_average(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def holds(ctx, pool):
    # The share of members above their averages.
    above = [s for s in pool if above_average(ctx, s)]
    return len(pool) > 0 and len(above) >= ctx.inputs.level * len(pool)


def decide(ctx):
    pool = [s for s in ctx.universe if s != ctx.inputs.safe]
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.average
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    if holds(ctx, pool):
        target = equal_weight(pool)
    else:
        target = {ctx.inputs.safe: 1.0}
    return target
