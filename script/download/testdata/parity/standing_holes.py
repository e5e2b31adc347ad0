"""Standing holes"""
NAME = "Standing holes"
SCHEDULE = "weekly"
START = "two_members"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "HOLE", "GONE"]},
}


def decide(ctx):
    ctx.record("members", len(ctx.universe))
    return {s: 0.9 / len(ctx.universe) for s in ctx.universe}
