"""Fill next close daily"""
from harness import equal_weight, top

NAME = "Fill next close daily"
SCHEDULE = "daily"
FILL = "next_close"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "C", "D"]},
}


def decide(ctx):
    day = {s: ctx.returns(s, 1)[-1] if ctx.sessions(s) > 1 else 0.0 for s in ctx.universe}
    ctx.record("equity", ctx.equity)
    return equal_weight(top(day, 2))
