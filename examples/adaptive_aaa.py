"""The stronger half of the asset classes, weighted for minimum variance.

The five classes with the highest returns over half a year are held. Their
weights minimise variance, estimated with volatilities over sixty sessions and
correlations over a year, because volatility changes quickly and correlation
slowly.

Source: Adam Butler, Michael Philbrick, Rodrigo Gordillo and David Varadi
(2012), Adaptive Asset Allocation: A Primer, SSRN 2328254.

Departures: nine classes instead of ten, without foreign real estate, for which
there is no fund here.
"""
from harness import min_variance, roc, top, volatility

NAME = "Adaptive asset allocation"
SYMBOL = "X-AAA"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "IEV", "EWJ", "EEM", "VNQ", "IEF", "TLT", "DBC", "GLD"],
                 "title": "Universe", "order": 1},
    "hold": {"type": "integer", "default": 5, "minimum": 1, "maximum": 9, "title": "Holdings",
             "role": "primary", "order": 2},
    "momentum_days": {"type": "integer", "default": 120, "minimum": 21, "maximum": 250,
                      "title": "Days of momentum", "role": "primary", "unit": "sessions", "order": 3},
    "volatility_days": {"type": "integer", "default": 60, "minimum": 10, "maximum": 250,
                        "title": "Days of volatility", "role": "advanced", "unit": "sessions", "order": 4},
    "correlation_days": {"type": "integer", "default": 250, "minimum": 20, "maximum": 756,
                         "title": "Days of correlation", "role": "advanced", "unit": "sessions", "order": 5},
}


def decide(ctx):
    days, recent = ctx.inputs.correlation_days, ctx.inputs.volatility_days
    longest = max(days, recent, ctx.inputs.momentum_days)
    members = [s for s in ctx.universe if ctx.sessions(s) > longest]
    if ctx.last_decision is None and len(members) < len(ctx.universe):
        return None
    n = ctx.inputs.momentum_days
    chosen = top({s: roc(ctx.prices(s, n + 1), n) for s in members}, ctx.inputs.hold)
    # Returns of the long window are scaled to the volatilities of the short one, so
    # their covariance has long-term correlations and short-term volatilities.
    panel = {s: r * (volatility(ctx.returns(s, recent)) / volatility(r)) for s, r in ctx.panel(chosen, days).items()}
    return min_variance(panel)
