"""Holds SPY, EFA, IEF, VNQ and DBC with equal weights.
Each member is held only while it is above its 210-session moving average; otherwise its share
goes to CASH.
Decides on the last session of each month and trades at the same close.
The rules are those of GTAA 5 (Mebane Faber, A Quantitative Approach to Tactical Asset
Allocation, 2007).
No schedule was given, so decisions are monthly, as they are in GTAA 5.
"""
from harness import equal_weight, sma

NAME = "GTAA 5"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "IEF", "VNQ", "DBC"],
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
