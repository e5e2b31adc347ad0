"""Home or foreign equities, whichever is stronger, if equities beat bills.

At the end of each month: if home equities returned more than bills over twelve
months, hold the stronger of home and foreign equities; otherwise hold bonds.
Relative momentum chooses, absolute momentum protects.

Source: Gary Antonacci (2014), Dual Momentum Investing (Global Equities
Momentum).

Departures: developed markets only instead of all foreign equities; a fund of
bills instead of an index; twelve months are 252 sessions.
"""
from harness import roc

NAME = "Dual momentum"
SYMBOL = "X-GEM"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "AGG", "BIL"],
                 "title": "Home equities, foreign equities, bonds, bills", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 21, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
}


def decide(ctx):
    home, foreign, bonds, bills = ctx.inputs.universe
    n = ctx.inputs.lookback
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) <= n:
        return None
    score = {s: roc(ctx.prices(s, n + 1), n) for s in [home, foreign, bills]}
    ctx.record("excess", score[home] - score[bills])
    if score[home] <= score[bills]:
        return {bonds: 1}
    if score[home] >= score[foreign]:
        return {home: 1}
    return {foreign: 1}
