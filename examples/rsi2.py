"""Buy a sharp dip in a rising market, sell the first bounce.

Above the 200-day average, buy when the relative strength index over two days is
below 5. Sell when the close is above its average of five days.

Source: Larry Connors and Cesar Alvarez (2009), Short Term Trading Strategies
That Work (the chapter on the two-period RSI).

Departures: prices include dividends, so they are a little more often above
their average; cash earns nothing.
"""
from harness import rsi, sma

NAME = "Two-day relative strength"
SYMBOL = "X-RSI2"
SCHEDULE = "daily"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"], "title": "The asset", "order": 1},
    "below": {"type": "number", "default": 5, "minimum": 0, "maximum": 50, "title": "Bought below",
              "role": "primary", "unit": "index points", "order": 2},
    "trend": {"type": "integer", "default": 200, "minimum": 20, "maximum": 500, "title": "Trend",
              "role": "primary", "unit": "sessions", "order": 3},
    "bounce": {"type": "integer", "default": 5, "minimum": 2, "maximum": 50, "title": "Bounce",
               "role": "advanced", "unit": "sessions", "order": 4},
}


def decide(ctx):
    asset = ctx.inputs.universe[0]
    if ctx.sessions(asset) < ctx.inputs.trend:
        return None
    prices = ctx.prices(asset, ctx.inputs.trend)
    if ctx.weights.get(asset, 0) > 0:
        return {} if prices.last() > sma(prices, ctx.inputs.bounce) else None
    if prices.last() > sma(prices) and rsi(prices, 2) < ctx.inputs.below:
        return {asset: 1}
    return {} if ctx.last_decision is None else None
