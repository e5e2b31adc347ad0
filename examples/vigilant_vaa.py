"""The strongest of four risky assets, or a bond fund if any of them turns down.

The score 13612W weights the annualised returns over one, three, six and twelve
months. While all four risky assets have a positive score, the best of them is
held; otherwise, about half of the time, the best of three bond funds.

Source: Wouter J. Keller and Jan Willem Keuning (2017), Breadth Momentum and
Vigilant Asset Allocation (VAA): Winning More by Losing Less, SSRN 3002624
(VAA-G4, T=1, B=1).

Departures: a month is 21 sessions.
"""
from harness import breadth, momentum_score, top

NAME = "Vigilant asset allocation"
SYMBOL = "X-VAA"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "AGG", "LQD", "IEF", "SHY"],
                 "title": "Risky and safe assets", "order": 1},
    "risky": {"type": "array", "default": ["SPY", "EFA", "EEM", "AGG"],
              "title": "Risky, members of the universe", "order": 2},
    "safe": {"type": "array", "default": ["LQD", "IEF", "SHY"],
             "title": "Safe, members of the universe", "order": 3},
}


def score(ctx, symbol):
    return momentum_score(ctx.prices(symbol, 253), [21, 63, 126, 252], [12, 4, 2, 1])


def decide(ctx):
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) <= 252:
        return None
    risky = {s: score(ctx, s) for s in ctx.inputs.risky}
    good = breadth(risky)
    ctx.record("good", good)
    if good == 1:
        return {top(risky, 1)[0]: 1}
    safe = {s: score(ctx, s) for s in ctx.inputs.safe}
    return {top(safe, 1)[0]: 1}
