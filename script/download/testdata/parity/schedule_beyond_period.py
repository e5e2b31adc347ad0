"""Schedule beyond period"""
NAME = "Schedule beyond period"
SCHEDULE = {"every": "monthly", "session": 40}
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {"A": 0.6, "B": 0.4}
