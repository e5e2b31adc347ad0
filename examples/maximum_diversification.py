"""The portfolio with the highest diversification ratio.

The ratio is the weighted average of the members' volatilities, divided by the
volatility of the portfolio. It is highest for the weights that minimise
variance under the correlation matrix, each divided by the volatility of its
asset and scaled to a sum of 1.

Source: Yves Choueifaty and Yves Coignard (2008), Toward Maximum
Diversification, Journal of Portfolio Management 35(1).

Departures: asset classes instead of equities; a year of daily returns.
"""
from harness import correlation, covariance, min_variance, normalize, portfolio_volatility

NAME = "Maximum diversification"
SYMBOL = "X-MAXDIV"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "AGG", "TLT", "VNQ", "GLD", "DBC"],
                 "title": "Universe", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 60, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
}


def decide(ctx):
    members = [s for s in ctx.universe if ctx.sessions(s) > ctx.inputs.lookback]
    if ctx.last_decision is None and len(members) < len(ctx.universe):
        return None
    panel = ctx.panel(members, ctx.inputs.lookback)
    deviations = {s: panel[s].std() for s in members}
    mixed = min_variance(correlation(panel))
    weights = normalize({s: mixed[s] / deviations[s] for s in members})
    if len(members) > 0:
        average = sum([weights[s] * deviations[s] for s in members])
        ctx.record("diversification_ratio", average / portfolio_volatility(weights, covariance(panel), 1))
    return weights
