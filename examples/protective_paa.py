"""The strongest of twelve risky assets, with more bonds the fewer of them rise.

Momentum is the price over the average of its last thirteen month-ends. If n of
N assets rise, the bond fraction is (N - n)/(N - N/2), so bonds are everything
when half of the assets fall. The rest is in the six strongest rising assets, in
equal parts.

Source: Wouter J. Keller and Jan Willem Keuning (2016), Protective Asset
Allocation (PAA): A Simple Momentum-Based Alternative for Term Deposits, SSRN
2759734 (PAA2: protection factor 2, twelve months, top 6).

Departures: month-ends are 21 sessions apart; the nearest available funds for
Europe and commodities.
"""
from harness import above, equal_weight, remainder, top

NAME = "Protective asset allocation"
SYMBOL = "X-PAA"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array",
                 "default": ["SPY", "QQQ", "IWM", "IEV", "EWJ", "EEM", "VNQ", "DBC", "GLD", "HYG",
                             "LQD", "TLT", "IEF"],
                 "title": "Risky assets, then the bond", "order": 1},
    "hold": {"type": "integer", "default": 6, "minimum": 1, "maximum": 12, "title": "Holdings",
             "role": "primary", "order": 2},
    "protection": {"type": "number", "default": 2, "minimum": 0, "maximum": 3, "title": "Protection factor",
                   "description": "0 low, 1 medium, 2 high: bonds alone once n is at most factor/4 of N.",
                   "role": "primary", "order": 3},
}

DAYS = 12 * 21 + 1


def decide(ctx):
    risky, bond = ctx.inputs.universe[:-1], ctx.inputs.universe[-1]
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) < DAYS:
        return None
    scores = {}
    for s in risky:
        ends = ctx.prices(s, DAYS)[::21]  # thirteen month-ends; the last is this session
        scores[s] = ends.last() / ends.mean() - 1
    rising = above(scores)
    many, good = len(risky), len(rising)
    least = ctx.inputs.protection * many / 4
    bonds = min(1.0, (many - good) / (many - least))
    ctx.record("bonds", bonds)
    return remainder(equal_weight(top(rising, ctx.inputs.hold), total=1 - bonds), bond)
