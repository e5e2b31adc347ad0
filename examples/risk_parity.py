"""Weights with which every asset contributes the same to the risk.

The risk contribution of an asset is its weight times its covariance with the
portfolio. Equal contributions lie between equal weights and minimum variance,
and need no forecast of returns.

Source: Sébastien Maillard, Thierry Roncalli and Jérôme Teïletche (2010), The
Properties of Equally Weighted Risk Contribution Portfolios, Journal of
Portfolio Management 36(4).

Departures: asset classes by fund; the covariance is estimated from half a year
of daily returns.
"""
from harness import covariance, risk_contribution, risk_parity

NAME = "Risk parity"
SYMBOL = "X-RPARITY"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EEM", "IEF", "TIP", "GLD", "DBC"],
                 "title": "Universe", "order": 1},
    "lookback": {"type": "integer", "default": 126, "minimum": 20, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
}


def decide(ctx):
    members = [s for s in ctx.universe if ctx.sessions(s) > ctx.inputs.lookback]
    if ctx.last_decision is None and len(members) < len(ctx.universe):
        return None
    matrix = covariance(ctx.panel(members, ctx.inputs.lookback))
    weights = risk_parity(matrix)
    shares = risk_contribution(weights, matrix).values()
    if len(members) > 0:
        ctx.record("widest_share", max(shares))
    return weights
