"""Standing untradable"""
NAME = "Standing untradable"
SCHEDULE = "weekly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "HOLE"]},
}


def decide(ctx):
    return {"HOLE": 0.7, "A": 0.3}
