"""Harness random"""
from harness import random

NAME = "Harness random"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "C"]},
}


def decide(ctx):
    draws = random(ctx.date + " A", 3)
    year = random(int(ctx.date[:4]))
    ctx.record("draw", draws.sum() + year[0])
    return {s: draws[i] / draws.sum() for i, s in enumerate(ctx.universe)}
