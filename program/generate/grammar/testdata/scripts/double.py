"""Holds SPY.
All weights are multiplied by 2.
Decides on every session and trades at the same close.
"""
from harness import equal_weight

NAME = "SPY"
SCHEDULE = "daily"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "leverage": {"type": "number", "default": 2.0, "minimum": 0.1, "maximum": 10.0,
        "title": "Leverage", "description": "What all weights are multiplied by", "role": "primary", "order": 2},
}


def decide(ctx):
    pool = ctx.universe
    target = equal_weight(pool)
    target = {s: x * ctx.inputs.leverage for s, x in target.items()}
    return target
