"""Module constants"""
from harness import vector

NAME = "Module constants"
SCHEDULE = "quarterly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


BANDS = {"A": [0.1, 0.2], "B": [0.3, 0.4]}
WEIGHTS = vector([0.25, 0.5])
STEPS = (1, 2)

def pick(s, at=0):
    return BANDS[s][at]

def decide(ctx):
    return {"A": pick("A") + WEIGHTS[0], "B": pick("B", STEPS[0])}
