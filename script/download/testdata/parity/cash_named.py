"""Cash named"""
NAME = "Cash named"
SCHEDULE = "quarterly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {"A": 0.25, "B": 0.25, "CASH": 0.5}
