"""Each asset is held if it beat bills over a year, by inverse volatility.

The sign of an asset's excess return over twelve months decides whether it is
held; the inverse of its volatility decides how much. What is not held is in
bills.

Source: Tobias J. Moskowitz, Yao Hua Ooi and Lasse Heje Pedersen (2012), Time
Series Momentum, Journal of Financial Economics 104(2).

Departures: long or flat and without leverage, with funds instead of futures:
weights are in proportion to the inverse of volatility, and the weights of
assets that did not beat bills are in bills. There is another example for the
long and short version.
"""
from harness import inverse_volatility, remainder, roc

NAME = "Time-series momentum, long or flat"
SYMBOL = "X-TSMOM"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "VNQ", "TLT", "IEF", "GLD", "DBC", "BIL"],
                 "title": "Assets, then bills", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 21, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
    "volatility_days": {"type": "integer", "default": 63, "minimum": 20, "maximum": 252,
                        "title": "Days of volatility", "role": "advanced", "unit": "sessions", "order": 3},
}


def decide(ctx):
    assets, bills = ctx.inputs.universe[:-1], ctx.inputs.universe[-1]
    n = ctx.inputs.lookback
    if ctx.sessions(bills) <= n:
        return None
    hurdle = roc(ctx.prices(bills, n + 1), n)
    ready = [s for s in assets if s in ctx.universe and ctx.sessions(s) > max(n, ctx.inputs.volatility_days)]
    shares = inverse_volatility(ctx.panel(ready, ctx.inputs.volatility_days))
    weights = {s: shares[s] for s in ready if roc(ctx.prices(s, n + 1), n) > hurdle}
    ctx.record("rising", len(weights))
    return remainder(weights, bills)
