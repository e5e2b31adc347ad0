# bars: etf21
"""Real trend filter"""
from harness import sma

NAME = "Real trend filter"
SCHEDULE = "monthly"
FILL = "next_close"
START = "two_members"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "IEF", "VNQ", "DBC"]},
}


def decide(ctx):
    weights = {}
    for s in ctx.universe:
        if ctx.sessions(s) < 210:
            continue
        p = ctx.prices(s, 210)
        if p.last() > sma(p, 200):
            weights[s] = 0.2
    return weights
