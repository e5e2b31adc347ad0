"""Equities while they are above their 200-day average, with a 1 % band.

Buy when the close is at least 1 % above the average of 200 sessions, sell when
it is at least 1 % below, and do nothing in between, which avoids most false
signals. When out of equities, the money is in bills.

Source: Jeremy J. Siegel (1998), Stocks for the Long Run, 2nd edition, chapter
on technical analysis.

Departures: a fund with dividends instead of the Dow Jones average; a fund of
short Treasuries for bills; as in the source, filled at the close of the signal.
"""
from harness import sma

NAME = "Two-hundred-day trend"
SYMBOL = "X-TREND200"
SCHEDULE = "daily"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "SHY"],
                 "title": "Equities, then the safe asset", "order": 1},
    "days": {"type": "integer", "default": 200, "minimum": 2, "maximum": 500, "title": "Average",
             "role": "primary", "unit": "sessions", "order": 2},
    "band": {"type": "number", "default": 0.01, "minimum": 0, "maximum": 0.2, "title": "Band",
             "role": "primary", "unit": "fraction of the average", "order": 3},
}


def decide(ctx):
    asset, safe = ctx.inputs.universe
    if ctx.sessions(asset) < ctx.inputs.days:
        return None
    prices = ctx.prices(asset, ctx.inputs.days)
    distance = prices.last() / sma(prices) - 1
    holding = ctx.weights.get(asset, 0) > 0
    if holding:
        return {safe: 1} if distance <= -ctx.inputs.band else None
    if distance >= ctx.inputs.band:
        return {asset: 1}
    return {safe: 1} if ctx.last_decision is None else None
