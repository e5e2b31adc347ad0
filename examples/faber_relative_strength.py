"""The three strongest of thirteen asset classes, each while it trends up.

Classes are ranked by the average of their returns over one, three, six and
twelve months. The first three get a third each; the third of a class that is
below its average of ten months is in bills instead.

Source: Mebane T. Faber (2013), A Quantitative Approach to Tactical Asset
Allocation, update of the 2007 paper (GTAA Aggressive); Faber (2010), Relative
Strength Strategies for Investing.

Departures: the nearest broad fund for each class (no value, momentum or foreign
bond funds); a month is 21 sessions.
"""
from harness import momentum_score, remainder, top

NAME = "Faber's relative strength"
SYMBOL = "X-GTAA13"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array",
                 "default": ["SPY", "QQQ", "IWM", "MDY", "EFA", "EEM", "IEF", "TLT", "LQD", "TIP",
                             "DBC", "GLD", "VNQ", "BIL"],
                 "title": "Asset classes, then bills", "order": 1},
    "hold": {"type": "integer", "default": 3, "minimum": 1, "maximum": 13, "title": "Holdings",
             "role": "primary", "order": 2},
}

MONTHS = [21, 63, 126, 252]


def decide(ctx):
    classes, bills = ctx.inputs.universe[:-1], ctx.inputs.universe[-1]
    if min([ctx.sessions(s) for s in classes]) <= 252:
        return None
    scores = {s: momentum_score(ctx.prices(s, 253), MONTHS) for s in classes}
    weights = {}
    for s in top(scores, ctx.inputs.hold):
        ends = ctx.prices(s, 190)[::21]  # ten month-ends; the last is this session
        if ends.last() > ends.mean():
            weights[s] = 1 / ctx.inputs.hold
    return remainder(weights, bills)
