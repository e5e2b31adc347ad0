"""Start with none"""
from harness import momentum

NAME = "Start with none"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    if ctx.sessions("A") < 300:
        return None
    ctx.record("cash", ctx.cash)
    return {} if momentum(ctx.prices("A", 120)) < 0 else {"A": 0.9}
