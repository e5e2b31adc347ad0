"""Holds 60% SPY and 40% AGG.
Each member is held only while it is above its 200-session moving average; otherwise its share
goes to CASH.
Decides on the last session of each month and trades at the same close.
"""
from harness import sma

NAME = "60% SPY and 40% AGG, each while it is above its 200-session moving average"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
    "average": {"type": "integer", "default": 200, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 3},
}


def passes(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def decide(ctx):
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.average
    if [s for s in ctx.inputs.universe if ctx.sessions(s) < need]:
        return None
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    total = sum(target.values())
    target = {s: x for s, x in target.items() if s in ctx.universe and passes(ctx, s)}
    return target
