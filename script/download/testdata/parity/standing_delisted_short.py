# delisted: DEAD
"""Standing delisted short"""
NAME = "Standing delisted short"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "DEAD"]},
}


def decide(ctx):
    if ctx.sessions("DEAD") > 400 and "DEAD" not in ctx.universe:
        return {"A": 1.0}
    return {"DEAD": -0.5, "A": 1.2}
