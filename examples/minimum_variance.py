"""The weights of minimum variance, from a shrunk covariance matrix.

The minimum-variance portfolio is the only efficient one that needs no expected
returns. Covariances are estimated with error, and an optimizer favours the
assets whose risk is underestimated. So the sample matrix is shrunk towards one
without correlations, by the intensity with the smallest expected error, and no
asset gets more than 40 %.

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
    # With few members the largest weights add up to less than 1; the rest is CASH.
    total = min(1.0, ctx.inputs.largest * len(members))
    matrix = covariance(ctx.panel(members, ctx.inputs.lookback), shrinkage="ledoit_wolf")
    weights = min_variance(matrix, upper=ctx.inputs.largest, total=total)
    ctx.record("expected_volatility", portfolio_volatility(weights, matrix, ctx.bars_per_year))
    return weights
