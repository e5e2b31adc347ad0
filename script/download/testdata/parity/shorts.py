"""Shorts"""
NAME = "Shorts"
SCHEDULE = "weekly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "C"]},
}


def decide(ctx):
    last = ctx.returns("C", 20)
    side = 1 if last.sum() > 0 else -1
    return {"A": 0.7 * side, "B": -0.4, "C": 0.5}
