"""Ruin by leverage"""
NAME = "Ruin by leverage"
SCHEDULE = "weekly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "CRASH"]},
}


def decide(ctx):
    ctx.record("equity", ctx.equity)
    return {"CRASH": 3.0, "A": -0.5}
