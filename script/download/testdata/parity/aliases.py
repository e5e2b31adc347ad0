"""Aliases"""
from harness import (
    momentum as rise,  # the return over the past
    equal_weight as spread, top,
)
import math as m

NAME = "Aliases"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "C"]},
}


def decide(ctx):
    scores = {s: rise(ctx.prices(s, 60), skip=5) for s in ctx.universe if ctx.sessions(s) > 60}
    return spread(top(scores, 1), m.sqrt(0.81))
