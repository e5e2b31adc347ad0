"""Schedule weekly"""
NAME = "Schedule weekly"
SCHEDULE = "weekly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {"A": 0.6, "B": 0.4}
