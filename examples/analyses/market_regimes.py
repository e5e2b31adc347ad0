"""What shares, bonds, gold and commodities did in calm and in volatile times.

Days are sorted by the volatility of the market before them, so that a day does not
choose its own regime.

Source: Andrew Ang and Geert Bekaert (2004), How Regimes Affect Asset Allocation,
Financial Analysts Journal 60(2).

Departures: a rule on past returns tells the regimes, not a model of states that is
estimated with the whole history.
"""
from harness import regimes

NAME = "Calm and volatile times"
SYMBOL = "X-REGIMES"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "TLT", "GLD", "DBC"], "title": "Members, the market first", "order": 1},
    "rule": {"type": "string", "default": "volatility", "enum": ["drawdown", "volatility", "trend"], "title": "Rule", "order": 2},
}


def analyze(ctx):
    return regimes(ctx, ctx.inputs.universe, ctx.inputs.rule)
