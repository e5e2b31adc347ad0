"""The four strongest of eight assets, while inflation-linked bonds rise.

The score is the average of the returns over one, three, six and twelve months.
Inflation-linked Treasuries are the canary: if their score is 0 or less,
everything is in the better of intermediate Treasuries and bills. Otherwise the
four strongest assets get a quarter each, and the quarter of one whose score is
not positive is in that same safe asset.

Source: Wouter J. Keller and Jan Willem Keuning (2023), Dual and Canary Momentum
with Rising Yields/Inflation: Hybrid Asset Allocation (HAA), SSRN 4346906
(HAA-Balanced, T=4).

Departures: a month is 21 sessions; the nearest available funds for foreign and
emerging equities and commodities.
"""
from harness import momentum_score, top

NAME = "Hybrid asset allocation"
SYMBOL = "X-HAA"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array",
                 "default": ["SPY", "IWM", "EFA", "EEM", "VNQ", "DBC", "IEF", "TLT", "BIL", "TIP"],
                 "title": "All of them", "order": 1},
    "offense": {"type": "array", "default": ["SPY", "IWM", "EFA", "EEM", "VNQ", "DBC", "IEF", "TLT"],
                "title": "Offense, members of the universe", "order": 2},
    "safe": {"type": "array", "default": ["IEF", "BIL"],
             "title": "Safe, members of the universe", "order": 3},
    "canary": {"type": "string", "default": "TIP", "title": "Canary, a member of the universe", "order": 4},
    "hold": {"type": "integer", "default": 4, "minimum": 1, "maximum": 8, "title": "Holdings",
             "role": "primary", "order": 5},
}


def decide(ctx):
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) <= 252:
        return None
    scores = {s: momentum_score(ctx.prices(s, 253), [21, 63, 126, 252]) for s in ctx.inputs.universe}
    safe = top({s: scores[s] for s in ctx.inputs.safe}, 1)[0]
    ctx.record("canary", scores[ctx.inputs.canary])
    if scores[ctx.inputs.canary] <= 0:
        return {safe: 1}
    chosen = top({s: scores[s] for s in ctx.inputs.offense}, ctx.inputs.hold)
    weights = {}
    for s in chosen:
        held = s if scores[s] > 0 else safe
        weights[held] = weights.get(held, 0) + 1 / len(chosen)
    return weights
