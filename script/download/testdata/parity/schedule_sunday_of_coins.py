# bars: coins
"""Schedule sunday of coins"""
NAME = "Schedule sunday of coins"
SCHEDULE = {"every": "weekly", "weekday": "sun"}
INPUTS = {
    "universe": {"type": "array", "default": ["COIN", "COIN2"]},
}


def decide(ctx):
    return {"COIN": 0.5, "COIN2": 0.5}
