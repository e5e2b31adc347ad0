"""In equities from the golden cross to the death cross, in cash between.

The golden cross is the session on which the average of 50 sessions rises above
that of 200, the death cross the one on which it falls below. Trades are filled
a session later, on the next close.

Source: William Brock, Josef Lakonishok and Blake LeBaron (1992), Simple
Technical Trading Rules and the Stochastic Properties of Stock Returns, Journal
of Finance 47(5), for rules of two averages.

Departures: 50 and 200 are the pair of market lore; the paper tests 1, 2 and 5
against 50 to 200, long and short. On total returns instead of prices.
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
    if ctx.last_decision is None:  # which side the first session is on
        return {asset: 1} if sma(prices, fast) > sma(prices, slow) else {}
    cross = crossover(prices, fast, slow)
    if cross == 0:
        return None
    return {asset: 1} if cross > 0 else {}
