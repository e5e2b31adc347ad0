"""Which funds move together, with those that do side by side.

The correlation of the daily returns of all pairs, over the days that both traded.
The order is that of the leaves of a tree which joins the closest funds first, so
that groups are blocks on the diagonal.

Source: Rosario N. Mantegna (1999), Hierarchical Structure in Financial Markets,
European Physical Journal B 11(1), for trees of correlations.

Departures: clusters are joined by the mean distance of their members, not by that
of the closest pair.
"""
from harness import correlation

NAME = "Which funds move together"
SYMBOL = "X-CORR"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "VNQ", "TLT", "IEF", "TIP", "HYG", "GLD", "DBC"],
                 "title": "Funds", "order": 1},
    "method": {"type": "string", "default": "pearson", "enum": ["pearson", "spearman"], "title": "Of returns or of their ranks",
               "order": 2},
}


def analyze(ctx):
    return correlation(ctx, ctx.inputs.universe, method=ctx.inputs.method)
