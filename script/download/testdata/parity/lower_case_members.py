# bars: synthetic dividends
"""Lower case members"""
NAME = "Lower case members"
SCHEDULE = "quarterly"
INPUTS = {
    "universe": {"type": "array", "default": ["a", "stk"]},
}


def decide(ctx):
    return {"a": 0.5, "stk": 0.4}
