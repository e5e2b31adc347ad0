# bars: etf21
# input: start_date=2010-01-01
"""Real min variance weekly"""
from harness import min_variance

NAME = "Real min variance weekly"
SCHEDULE = {"every": "weekly", "weekday": "fri"}
START = "first_member"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "QQQ", "IWM", "AGG", "TLT", "GLD", "LQD", "HYG", "TIP", "EEM"]},
}


def decide(ctx):
    have = [s for s in ctx.universe if ctx.sessions(s) > 63]
    if len(have) < 2:
        return None
    return min_variance(ctx.panel(have, 63), upper=0.5)
