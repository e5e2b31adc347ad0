"""A quarter each in equities, long bonds, gold and cash.

Each part is meant to do well in one of prosperity, deflation, inflation and
recession. Weights are checked once a year. If one is below 15 % or above 35 %,
all four are rebalanced to a quarter.

Source: Harry Browne (1999), Fail-Safe Investing; the portfolio is of Browne and
Terry Coxon (1981), Inflation-Proofing Your Investments.

Departures: Treasuries of one to three years stand in for the money market fund,
because funds of bills began only in 2007; Browne checks once a year on any
date, this model at the end of the year.
"""
from harness import drifted, equal_weight

NAME = "Permanent portfolio"
SYMBOL = "X-PERM"
SCHEDULE = "yearly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD", "SHY"],
                 "title": "Equities, long bonds, gold, cash", "order": 1},
    "band": {"type": "number", "default": 0.1, "minimum": 0, "maximum": 0.25, "title": "Band around a quarter",
             "role": "primary", "unit": "fraction of equity", "order": 2},
}


def decide(ctx):
    target = equal_weight(ctx.inputs.universe)
    if ctx.last_decision is None or drifted(ctx.weights, target, ctx.inputs.band):
        return target
    return None
