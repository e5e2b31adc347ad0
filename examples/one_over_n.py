"""The same weight for every available asset, rebalanced monthly.

Nothing is estimated, so there is no estimation error. Over samples of the usual
length, the gain of optimal weights is smaller than the loss from errors in
their inputs. Assets join when they begin to trade.

Source: Victor DeMiguel, Lorenzo Garlappi and Raman Uppal (2009), Optimal Versus
Naive Diversification: How Inefficient is the 1/N Portfolio Strategy?, Review of
Financial Studies 22(5).

Departures: asset classes by fund instead of the paper's data sets of sectors,
industries and factors.
"""
from harness import equal_weight

NAME = "One over N"
SYMBOL = "X-ONEN"
SCHEDULE = "monthly"
START = "two_members"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "IWM", "EFA", "EEM", "AGG", "TLT", "VNQ", "GLD", "DBC"],
                 "title": "Universe", "order": 1},
}


def decide(ctx):
    ctx.record("members", len(ctx.universe))
    return equal_weight(ctx.universe)
