"""What 2008, 2020 and 2022 did to shares, bonds and gold.

The return and the deepest fall of each member from the market's high to its low, in
the falls that were about credit, about a pandemic and about rates: bonds helped in
the first two and fell along in the third.

Source: Paul H. Kupiec (1998), Stress Testing in a Value at Risk Framework, Journal
of Derivatives 6(1), for replaying what happened.

Departures: the episodes are those of the S&P 500 between closes. Nothing is added to
what happened.
"""
from harness import stress

NAME = "Three crises"
SYMBOL = "X-STRESS"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "AGG", "TLT", "GLD"], "title": "Members", "order": 1},
}
EPISODES = [
    {"name": "2008", "first": "2007-10-10", "last": "2009-03-09"},
    {"name": "2020", "first": "2020-02-20", "last": "2020-03-23"},
    {"name": "2022", "first": "2022-01-04", "last": "2022-10-12"},
]


def analyze(ctx):
    return stress(ctx, ctx.inputs.universe, episodes=EPISODES)
