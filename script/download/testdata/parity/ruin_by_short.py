"""Ruin by short"""
NAME = "Ruin by short"
SCHEDULE = "monthly"
FILL = "next_close"
INPUTS = {
    "universe": {"type": "array", "default": ["D", "JUMP"]},
}


def decide(ctx):
    return {"JUMP": -1.5, "D": 1.0}
