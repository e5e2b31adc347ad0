"""Twelve risky assets, and the more bonds the fewer of them rise.

Momentum is the price over the average of thirteen month-ends. Of N assets n
rise; the bond fraction is (N - n)/(N - N/2), so that with half of them down all
is in bonds. The rest goes to the six strongest that rise, in equal parts.

Source: Wouter J. Keller and Jan Willem Keuning (2016), Protective Asset
Allocation (PAA): A Simple Momentum-Based Alternative for Term Deposits, SSRN
2759734 (PAA2: protection factor 2, twelve months, top 6).

Departures: month-ends are taken 21 sessions apart; Europe and commodities by
the funds at hand.
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
        ends = ctx.prices(s, DAYS)[::21]  # thirteen month-ends, this session's the last
        scores[s] = ends.last() / ends.mean() - 1
    rising = above(scores)
    many, good = len(risky), len(rising)
    least = ctx.inputs.protection * many / 4
    bonds = min(1.0, (many - good) / (many - least))
    ctx.record("bonds", bonds)
    return remainder(equal_weight(top(rising, ctx.inputs.hold), total=1 - bonds), bond)
