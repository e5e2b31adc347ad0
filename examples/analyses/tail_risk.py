"""How bad the worst day in a hundred is, by three methods.

The loss that one day in a hundred exceeds and the mean of those losses: from history
itself, from a normal distribution corrected for skewness and kurtosis, and from a
distribution fitted to the worst tenth of the days.

Source: Alexander J. McNeil and Rüdiger Frey (2000), Estimation of Tail-Related Risk
Measures for Heteroscedastic Financial Time Series: an Extreme Value Approach,
Journal of Empirical Finance 7(3).

Departures: returns are taken as they are, without a model of their volatility.
"""
from harness import tails

NAME = "The worst day in a hundred"
SYMBOL = "X-TAILS"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EEM", "TLT", "GLD", "X-6040"], "title": "Members", "order": 1},
    "level": {"type": "number", "default": 0.99, "minimum": 0.9, "maximum": 0.999, "title": "Level", "order": 2},
}


def analyze(ctx):
    return tails(ctx, ctx.inputs.universe, level=ctx.inputs.level)
