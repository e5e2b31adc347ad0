"""Schedule quarterly"""
NAME = "Schedule quarterly"
SCHEDULE = "quarterly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {"A": 0.6, "B": 0.4}
