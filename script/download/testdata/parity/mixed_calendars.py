# bars: synthetic coins
"""Mixed calendars"""
from harness import inverse_volatility

NAME = "Mixed calendars"
SCHEDULE = "monthly"
START = "two_members"
INPUTS = {
    "universe": {"type": "array", "default": ["COIN", "A", "COIN2", "D"]},
}


def decide(ctx):
    have = [s for s in ctx.universe if ctx.sessions(s) > 40]
    return inverse_volatility(ctx.panel(have, 40))
