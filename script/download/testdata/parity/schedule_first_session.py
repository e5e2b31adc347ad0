"""Schedule first session"""
NAME = "Schedule first session"
SCHEDULE = {"every": "monthly", "session": 1}
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {"A": 0.6, "B": 0.4}
