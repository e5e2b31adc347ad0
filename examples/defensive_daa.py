"""Six of twelve risky assets, less when either of two canaries warns.

Emerging equities and the bond market are the canaries. For each of them with a
score of 0 or less, half of the portfolio goes into the best of three safe
assets. The rest is spread over the six risky assets with the highest scores
(13612W), which need not be positive.

Source: Wouter J. Keller and Jan Willem Keuning (2018), Breadth Momentum and the
Canary Universe: Defensive Asset Allocation (DAA), SSRN 3212862 (DAA-G12, T=6,
B=2).

Departures: a month is 21 sessions; the nearest available funds for Europe and
the canaries. The paper's "easy trading", which holds three assets at a sixth
each when one canary warns, is an option.
"""
from harness import above, blend, equal_weight, momentum_score, top

NAME = "Defensive asset allocation"
SYMBOL = "X-DAA"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array",
                 "default": ["SPY", "IWM", "QQQ", "IEV", "EWJ", "EEM", "VNQ", "DBC", "GLD", "TLT",
                             "HYG", "LQD", "AGG", "SHY", "IEF"],
                 "title": "All of them", "order": 1},
    "risky": {"type": "array",
              "default": ["SPY", "IWM", "QQQ", "IEV", "EWJ", "EEM", "VNQ", "DBC", "GLD", "TLT", "HYG", "LQD"],
              "title": "Risky, members of the universe", "order": 2},
    "canaries": {"type": "array", "default": ["EEM", "AGG"],
                 "title": "Canaries, members of the universe", "order": 3},
    "safe": {"type": "array", "default": ["SHY", "IEF", "LQD"],
             "title": "Safe, members of the universe", "order": 4},
    "hold": {"type": "integer", "default": 6, "minimum": 1, "maximum": 12, "title": "Holdings",
             "role": "primary", "order": 5},
    "easy": {"type": "boolean", "default": False, "title": "Easy trading: fewer holdings, not smaller ones",
             "role": "advanced", "order": 6},
}


def decide(ctx):
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) <= 252:
        return None
    scores = {s: momentum_score(ctx.prices(s, 253), [21, 63, 126, 252], [12, 4, 2, 1]) for s in ctx.inputs.universe}
    singing = above({s: scores[s] for s in ctx.inputs.canaries})
    invested = len(singing) / len(ctx.inputs.canaries)
    ctx.record("invested", invested)
    count = ctx.inputs.hold
    if ctx.inputs.easy:
        count = int(invested * count)
    risky = equal_weight(top({s: scores[s] for s in ctx.inputs.risky}, count))
    safe = equal_weight(top({s: scores[s] for s in ctx.inputs.safe}, 1))
    weights = blend(risky, safe, invested)
    return {s: weights[s] for s in weights if weights[s] > 0}
