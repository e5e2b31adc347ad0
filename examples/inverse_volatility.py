"""Weights in proportion to the inverse of volatility.

Each position has the same volatility on its own. Correlations are ignored,
which keeps the weights stable. If all correlations were equal, this would be
risk parity.

Source: Raul Leote de Carvalho, Xiao Lu and Pierre Moulin (2012), Demystifying
Equity Risk-Based Strategies: A Simple Alpha Plus Beta Description, Journal of
Portfolio Management 38(3).

Departures: asset classes instead of equities; volatilities are estimated from a
quarter of daily returns.
"""
from harness import inverse_volatility

NAME = "Inverse volatility"
SYMBOL = "X-INVVOL"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "IEF", "TLT", "VNQ", "GLD"],
                 "title": "Universe", "order": 1},
    "lookback": {"type": "integer", "default": 63, "minimum": 20, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
}


def decide(ctx):
    members = [s for s in ctx.universe if ctx.sessions(s) > ctx.inputs.lookback]
    if ctx.last_decision is None and len(members) < len(ctx.universe):
        return None
    return inverse_volatility(ctx.panel(members, ctx.inputs.lookback))
