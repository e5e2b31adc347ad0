# delisted: DEAD
"""Standing delisted"""
NAME = "Standing delisted"
SCHEDULE = "quarterly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "DEAD", "GONE"]},
}


def decide(ctx):
    ctx.log("holding %d" % len(ctx.weights))
    return {"DEAD": 0.5, "A": 0.25, "GONE": 0.25}
