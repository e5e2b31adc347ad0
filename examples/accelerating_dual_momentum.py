"""Dual momentum over shorter windows that favour the latest month.

The score of a fund is the average of its returns over one, three and six
months, so the latest month counts three times. If the stronger of home and
foreign equities has a positive score, hold it. Otherwise hold long or
inflation-linked Treasuries, whichever did better last month.

Source: Steve Hanly and Chris Ludlow (2018), Accelerating Dual Momentum
Investing, engineeredportfolio.com.

Departures: foreign equities of all sizes instead of small companies, because
funds of those begin only in 2007; a month is 21 sessions.
"""
from harness import momentum_score, roc, top

NAME = "Accelerating dual momentum"
SYMBOL = "X-ADM"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "TLT", "TIP"],
                 "title": "Equities and bonds", "order": 1},
    "equities": {"type": "array", "default": ["SPY", "EFA"],
                 "title": "Equities, members of the universe", "order": 2},
    "bonds": {"type": "array", "default": ["TLT", "TIP"],
              "title": "Bonds, members of the universe", "order": 3},
}

MONTHS = [21, 63, 126]


def decide(ctx):
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) <= 126:
        return None
    scores = {s: momentum_score(ctx.prices(s, 127), MONTHS) for s in ctx.inputs.equities}
    best = top(scores, 1)[0]
    ctx.record("best_score", scores[best])
    if scores[best] > 0:
        return {best: 1}
    month = {s: roc(ctx.prices(s, 22), 21) for s in ctx.inputs.bonds}
    return {top(month, 1)[0]: 1}
