"""Schedule third session"""
NAME = "Schedule third session"
SCHEDULE = {"every": "quarterly", "session": 3}
FILL = "next_close"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {"A": 0.6, "B": 0.4}
