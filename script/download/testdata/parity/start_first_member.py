# bars: synthetic returns
"""Start first member"""
NAME = "Start first member"
SCHEDULE = "quarterly"
START = "first_member"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "LATE", "HOLE", "RET"]},
}


def decide(ctx):
    return {s: 1.0 / len(ctx.universe) for s in ctx.universe}
