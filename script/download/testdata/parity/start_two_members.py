# bars: synthetic returns
"""Start two members"""
NAME = "Start two members"
SCHEDULE = "quarterly"
START = "two_members"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "LATE", "HOLE", "RET"]},
}


def decide(ctx):
    return {s: 1.0 / len(ctx.universe) for s in ctx.universe}
