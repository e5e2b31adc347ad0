"""Schedule before last"""
NAME = "Schedule before last"
SCHEDULE = {"every": "weekly", "session": -2}
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {"A": 0.6, "B": 0.4}
