"""Context drift band"""
from harness import drifted

NAME = "Context drift band"
SCHEDULE = "daily"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "C"]},
}


def decide(ctx):
    target = {"A": 0.5, "C": 0.5}
    ctx.record("drifted", drifted(ctx.weights, target, 0.05))
    if not drifted(ctx.weights, target, 0.03) and not drifted(ctx.weights, target, 0.2, relative=True):
        return None
    return target
