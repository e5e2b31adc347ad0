"""In equities from the golden cross to the death cross, otherwise in cash.

At the golden cross the average of 50 sessions rises above the average of 200;
at the death cross it falls below. Trades are filled at the close of the next
session.

Source: William Brock, Josef Lakonishok and Blake LeBaron (1992), Simple
Technical Trading Rules and the Stochastic Properties of Stock Returns, Journal
of Finance 47(5), for rules of two averages.

Departures: 50 and 200 are the pair that traders use; the paper tests 1, 2 and 5
against 50 to 200, long and short. Averages are of total returns instead of
prices.
"""
from harness import crossover, sma

NAME = "Golden cross"
SYMBOL = "X-GOLDENX"
SCHEDULE = "daily"
FILL = "next_close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"], "title": "The asset", "order": 1},
    "fast": {"type": "integer", "default": 50, "minimum": 1, "maximum": 99, "title": "Fast average",
             "role": "primary", "unit": "sessions", "order": 2},
    "slow": {"type": "integer", "default": 200, "minimum": 100, "maximum": 500,
             "title": "Slow average", "role": "primary", "unit": "sessions", "order": 3},
}


def decide(ctx):
    asset = ctx.inputs.universe[0]
    fast, slow = ctx.inputs.fast, ctx.inputs.slow
    if ctx.sessions(asset) <= slow:
        return None
    prices = ctx.prices(asset, slow + 1)
    if ctx.last_decision is None:  # the first session decides on which side the model begins
        return {asset: 1} if sma(prices, fast) > sma(prices, slow) else {}
    cross = crossover(prices, fast, slow)
    if cross == 0:
        return None
    return {asset: 1} if cross > 0 else {}
