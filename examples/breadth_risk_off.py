"""Equities in proportion to how many equity markets rise, the rest in bonds.

Breadth is the share of equity funds that are above their average of 200
sessions. That share of the portfolio is invested in those funds, in equal
parts; the rest is in intermediate Treasuries. So the model leaves a narrowing
market step by step, not at once.

Source: Wouter J. Keller and Jan Willem Keuning (2017), Breadth Momentum and
Vigilant Asset Allocation, SSRN 3002624, for breadth as protection; Mebane T.
Faber (2007) for the average as trend.

Departures: a combination of the two papers, not the model of either.
"""
from harness import above, breadth, equal_weight, remainder, sma

NAME = "Breadth, risk on and off"
SYMBOL = "X-BREADTH"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array",
                 "default": ["SPY", "QQQ", "IWM", "MDY", "EFA", "EEM", "EWJ", "IEV", "IYR", "IEF"],
                 "title": "Equity funds, then the safe asset", "order": 1},
    "days": {"type": "integer", "default": 200, "minimum": 20, "maximum": 500, "title": "Average",
             "role": "primary", "unit": "sessions", "order": 2},
}


def decide(ctx):
    equities, safe = ctx.inputs.universe[:-1], ctx.inputs.universe[-1]
    n = ctx.inputs.days
    if min([ctx.sessions(s) for s in equities]) < n:
        return None
    trends = {}
    for s in equities:
        prices = ctx.prices(s, n)
        trends[s] = prices.last() / sma(prices) - 1
    share = breadth(trends)
    ctx.record("breadth", share)
    return remainder(equal_weight(above(trends), total=share), safe)
