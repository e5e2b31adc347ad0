# bars: synthetic returns
"""Start all members"""
NAME = "Start all members"
SCHEDULE = "quarterly"
START = "all_members"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "LATE", "HOLE", "RET"]},
}


def decide(ctx):
    return {s: 1.0 / len(ctx.universe) for s in ctx.universe}
