# bars: etf21
"""Real sixty forty"""
NAME = "Real sixty forty"
SCHEDULE = "quarterly"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"]},
}


def decide(ctx):
    return {"SPY": 0.6, "AGG": 0.4}
