"""Equities scaled by the inverse of last month's variance.

The price of risk does not rise with risk, so exposure is in inverse proportion
to variance. The scale is the average monthly variance so far, so that exposure
averages about 1; it never exceeds 1.5.

Source: Alan Moreira and Tyler Muir (2017), Volatility-Managed Portfolios,
Journal of Finance 72(4).

Departures: their scale gives the strategy the market's volatility over the
whole sample, which is known only in hindsight; here the scale uses past data
only. The limit of 1.5 is one of their practical variants; exposure above 1 is
borrowed, at no cost in gross results.
"""
from harness import rolling_volatility

NAME = "Volatility managed"
SYMBOL = "X-VOLMANAGED"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"], "title": "The asset", "order": 1},
    "window": {"type": "integer", "default": 22, "minimum": 5, "maximum": 252,
               "title": "Days of a month's variance", "role": "primary", "unit": "sessions", "order": 2},
    "most": {"type": "number", "default": 1.5, "minimum": 0.1, "maximum": 3, "title": "Largest exposure",
             "role": "primary", "unit": "times equity", "order": 3},
}


def decide(ctx):
    asset = ctx.inputs.universe[0]
    # At least a year of past variances is needed to tell whether one is high or low.
    if ctx.sessions(asset) <= 252 + ctx.inputs.window:
        return None
    deviations = rolling_volatility(ctx.returns(asset), ctx.inputs.window, ctx.bars_per_year)
    variances = deviations * deviations
    if variances.last() == 0:
        return None
    exposure = min(variances.mean() / variances.last(), ctx.inputs.most)
    ctx.record("exposure", exposure)
    return {asset: exposure}
