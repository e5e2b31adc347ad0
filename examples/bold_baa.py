"""Offense while all four canary funds have positive momentum, else defense.

Canaries are judged by the fast score 13612W; one score of 0 or less is enough
to switch to defense. Assets are ranked by a slow score, the price over the
average of its last thirteen month-ends: the six strongest of twelve in offense,
the three strongest of seven in defense. In defense, bills replace any asset
that is weaker than bills.

Source: Wouter J. Keller (2022), Relative and Absolute Momentum in Times of
Rising/Low Yields: Bold Asset Allocation (BAA), SSRN 4166845 (BAA-G12, the
balanced version).

Departures: a month is 21 sessions; the nearest available funds for Europe,
foreign and emerging equities and the bond market.
"""
from harness import breadth, momentum_score, top

NAME = "Bold asset allocation"
SYMBOL = "X-BAA"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array",
                 "default": ["SPY", "QQQ", "IWM", "IEV", "EWJ", "EEM", "VNQ", "DBC", "GLD", "TLT",
                             "HYG", "LQD", "EFA", "AGG", "TIP", "BIL", "IEF"],
                 "title": "All of them", "order": 1},
    "canaries": {"type": "array", "default": ["SPY", "EEM", "EFA", "AGG"],
                 "title": "Canaries, members of the universe", "order": 2},
    "offense": {"type": "array",
                "default": ["SPY", "QQQ", "IWM", "IEV", "EWJ", "EEM", "VNQ", "DBC", "GLD", "TLT", "HYG", "LQD"],
                "title": "Offense, members of the universe", "order": 3},
    "defense": {"type": "array", "default": ["TIP", "DBC", "BIL", "IEF", "TLT", "LQD", "AGG"],
                "title": "Defense, members of the universe", "order": 4},
    "bills": {"type": "string", "default": "BIL", "title": "Bills, one of the defense", "order": 5},
    "offensive": {"type": "integer", "default": 6, "minimum": 1, "maximum": 12, "title": "Holdings in offense",
                  "role": "primary", "order": 6},
    "defensive": {"type": "integer", "default": 3, "minimum": 1, "maximum": 7, "title": "Holdings in defense",
                  "role": "primary", "order": 7},
}


def quick(ctx, symbol):
    return momentum_score(ctx.prices(symbol, 253), [21, 63, 126, 252], [12, 4, 2, 1])


def slow(ctx, symbol):
    ends = ctx.prices(symbol, 253)[::21]  # thirteen month-ends; the last is this session
    return ends.last() / ends.mean() - 1


def decide(ctx):
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) <= 252:
        return None
    singing = breadth({s: quick(ctx, s) for s in ctx.inputs.canaries})
    ctx.record("singing", singing)
    group, count = ctx.inputs.offense, ctx.inputs.offensive
    if singing < 1:
        group, count = ctx.inputs.defense, ctx.inputs.defensive
    scores = {s: slow(ctx, s) for s in group}
    chosen = top(scores, count)
    bills = slow(ctx, ctx.inputs.bills)
    weights = {}
    for s in chosen:
        if singing < 1 and scores[s] < bills:
            s = ctx.inputs.bills
        weights[s] = weights.get(s, 0) + 1 / len(chosen)
    return weights
