"""The weights of least variance, from a covariance that is shrunk first.

Of all portfolios the one of least variance alone needs no expected returns. Its
covariances are estimated with error, which an optimizer seeks out, so the
sample's matrix is drawn towards one without correlations by as much as is best
on average, and no asset takes more than 40 %.

Source: Roger Clarke, Harindra de Silva and Steven Thorley (2006),
Minimum-Variance Portfolios in the U.S. Equity Market, Journal of Portfolio
Management 33(1); Olivier Ledoit and Michael Wolf (2004), A Well-Conditioned
Estimator for Large-Dimensional Covariance Matrices, Journal of Multivariate
Analysis 88(2).

Departures: asset classes instead of a thousand equities; a year of daily
returns.
"""
from harness import covariance, min_variance, portfolio_volatility

NAME = "Minimum variance"
SYMBOL = "X-MINVAR"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "TLT", "LQD", "VNQ", "GLD", "DBC"],
                 "title": "Universe", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 60, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
    "largest": {"type": "number", "default": 0.4, "minimum": 0.05, "maximum": 1, "title": "Largest weight",
                "role": "advanced", "unit": "fraction", "order": 3},
}


def decide(ctx):
    members = [s for s in ctx.universe if ctx.sessions(s) > ctx.inputs.lookback]
    if ctx.last_decision is None and len(members) < len(ctx.universe):
        return None
    # A few members cannot fill the whole under a low bound: what is left is CASH.
    total = min(1.0, ctx.inputs.largest * len(members))
    matrix = covariance(ctx.panel(members, ctx.inputs.lookback), shrinkage="ledoit_wolf")
    weights = min_variance(matrix, upper=ctx.inputs.largest, total=total)
    ctx.record("expected_volatility", portfolio_volatility(weights, matrix, ctx.bars_per_year))
    return weights
