"""Long the laggard and short the leader of a pair of similar funds.

The signal is the ratio of the total returns of two funds of the same market.
When the ratio is two standard deviations from its average over a year, buy the
fund that is behind and sell the other, half of equity each. Close when the
ratio is back at its average. Trades are filled at the next close.

Source: Evan Gatev, William N. Goetzmann and K. Geert Rouwenhorst (2006), Pairs
Trading: Performance of a Relative-Value Arbitrage Rule, Review of Financial
Studies 19(3).

Departures: one pair, chosen in advance, instead of the twenty closest pairs of
equities in each half year; average and deviation are over a rolling year. Short
sales cost nothing in gross results.
"""
from harness import zscore

NAME = "Pair of real estate funds"
SYMBOL = "X-PAIR"
SCHEDULE = "daily"
FILL = "next_close"

INPUTS = {
    "universe": {"type": "array", "default": ["VNQ", "IYR"], "title": "The pair", "order": 1},
    "days": {"type": "integer", "default": 252, "minimum": 20, "maximum": 756, "title": "Formation",
             "role": "primary", "unit": "sessions", "order": 2},
    "open": {"type": "number", "default": 2, "minimum": 0.1, "maximum": 10, "title": "Opened at",
             "role": "primary", "unit": "standard deviations", "order": 3},
    "size": {"type": "number", "default": 0.5, "minimum": 0.05, "maximum": 1, "title": "Size of a leg",
             "role": "primary", "unit": "fraction of equity", "order": 4},
}


def decide(ctx):
    one, other = ctx.inputs.universe
    n = ctx.inputs.days
    if min(ctx.sessions(one), ctx.sessions(other)) < n:
        return None
    z = zscore(ctx.prices(one, n) / ctx.prices(other, n))
    ctx.record("z", z)
    held = ctx.weights.get(one, 0)
    if held == 0:
        if z >= ctx.inputs.open:
            return {one: -ctx.inputs.size, other: ctx.inputs.size}
        if z <= -ctx.inputs.open:
            return {one: ctx.inputs.size, other: -ctx.inputs.size}
        return {} if ctx.last_decision is None else None
    # Close when the ratio has crossed its average.
    if (held < 0 and z <= 0) or (held > 0 and z >= 0):
        return {}
    return None
