"""Equities at a constant volatility: less of them when volatility is high.

Exposure is the target over the volatility of the past weeks. It is computed
every day and traded when it has changed enough. Volatility clusters, so
tomorrow's is close to today's. What is left is in bills. Exposure is at most
1.5 times equity.

Source: Campbell R. Harvey, Edward Hoyle, Russell Korgaonkar, Sandy Rattray,
Matthew Sargaison and Otto van Hemert (2018), The Impact of Volatility
Targeting, Journal of Portfolio Management 45(1).

Departures: their half-life of 20 sessions, but trades only when the exposure is
off by a tenth, at the next close; exposure above 1 is borrowed, at no cost in
gross results.
"""
import math

from harness import drifted, ema, remainder

NAME = "Volatility target"
SYMBOL = "X-VOLTARGET"
SCHEDULE = "daily"
FILL = "next_close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "SHY"],
                 "title": "Equities, then the safe asset", "order": 1},
    "target": {"type": "number", "default": 0.12, "minimum": 0.01, "maximum": 0.5, "title": "Volatility target",
               "role": "primary", "unit": "fraction a year", "order": 2},
    "most": {"type": "number", "default": 1.5, "minimum": 0.1, "maximum": 3, "title": "Largest exposure",
             "role": "primary", "unit": "times equity", "order": 3},
    "window": {"type": "integer", "default": 57, "minimum": 5, "maximum": 500, "title": "Length of the average",
               "role": "advanced", "unit": "sessions", "order": 4},
    "band": {"type": "number", "default": 0.1, "minimum": 0, "maximum": 1, "title": "Traded when off by",
             "role": "advanced", "unit": "fraction of equity", "order": 5},
}


def decide(ctx):
    asset, safe = ctx.inputs.universe
    window = ctx.inputs.window
    if ctx.sessions(asset) <= 2 * window:
        return None
    returns = ctx.returns(asset, 4 * window)
    volatility = math.sqrt(ema(returns * returns, window) * ctx.bars_per_year)
    if volatility == 0:
        return None
    ctx.record("volatility", volatility)
    exposure = min(ctx.inputs.target / volatility, ctx.inputs.most)
    target = {asset: exposure}
    if exposure < 1:
        target = remainder(target, safe)
    if ctx.last_decision is None or drifted(ctx.weights, target, ctx.inputs.band):
        return target
    return None
