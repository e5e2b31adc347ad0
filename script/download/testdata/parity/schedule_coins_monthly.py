# bars: coins
"""Schedule coins monthly"""
from harness import momentum

NAME = "Schedule coins monthly"
SCHEDULE = {"every": "monthly", "session": -1}
START = "first_member"
INPUTS = {
    "universe": {"type": "array", "default": ["COIN", "COIN2"]},
}


def decide(ctx):
    up = [s for s in ctx.universe if ctx.sessions(s) > 60 and momentum(ctx.prices(s, 60)) > 0]
    ctx.record("year", ctx.bars_per_year)
    return {s: 0.5 for s in up}
