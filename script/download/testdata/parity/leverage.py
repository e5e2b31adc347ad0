"""Leverage"""
NAME = "Leverage"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "D"]},
}


def decide(ctx):
    return {"A": 1.2, "D": 0.8}
