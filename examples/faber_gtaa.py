"""A fifth in each of five asset classes while it is above its average.

At the end of each month a class is held if its price is above the average of
its last ten month-ends; otherwise its fifth is in bills. The rule is meant to
avoid long declines, not to raise returns.

Source: Mebane T. Faber (2007), A Quantitative Approach to Tactical Asset
Allocation, Journal of Wealth Management 9(4).

Departures: month-ends are 21 sessions apart, counted back from the decision.
"""
from harness import remainder

NAME = "Faber's five classes"
SYMBOL = "X-GTAA5"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "IEF", "VNQ", "DBC", "BIL"],
                 "title": "Asset classes, then bills", "order": 1},
    "months": {"type": "integer", "default": 10, "minimum": 2, "maximum": 24, "title": "Months of the average",
               "role": "primary", "unit": "months of 21 sessions", "order": 2},
}


def decide(ctx):
    classes, bills = ctx.inputs.universe[:-1], ctx.inputs.universe[-1]
    days = 21 * (ctx.inputs.months - 1) + 1
    if min([ctx.sessions(s) for s in classes]) < days:
        return None
    weights = {}
    for s in classes:
        ends = ctx.prices(s, days)[::21]  # month-ends; the last is this session
        if ends.last() > ends.mean():
            weights[s] = 1 / len(classes)
    ctx.record("classes", len(weights))
    return remainder(weights, bills)
