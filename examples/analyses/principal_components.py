"""How many bets a list of funds really is.

The directions in which the funds move together, by the share of the variance that
each explains, and what each is made of. The number of bets is that of equal shares
that would be as spread out: e to the entropy of the shares.

Source: Attilio Meucci (2009), Managing Diversification, Risk 22(5).

Departures: the components are those of the correlation, so that a volatile fund
counts no more than a calm one, and no weights enter.
"""
from harness import components

NAME = "How many bets"
SYMBOL = "X-BETS"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "VNQ", "TLT", "IEF", "TIP", "HYG", "GLD", "DBC"],
                 "title": "Funds", "order": 1},
}


def analyze(ctx):
    shares = components(ctx, ctx.inputs.universe)["share"]
    bets = 1.0
    for share in shares:
        if share > 0:
            bets *= pow(share, -share)
    ctx.scalar("bets", bets, unit="bets", title="Independent bets")
