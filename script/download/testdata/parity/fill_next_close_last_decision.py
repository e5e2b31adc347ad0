"""Fill next close last decision"""
NAME = "Fill next close last decision"
SCHEDULE = "yearly"
FILL = "next_close"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {"A": 0.6, "B": 0.4}
