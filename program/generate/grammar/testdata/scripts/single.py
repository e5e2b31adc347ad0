"""Holds SPY.
Decided on the last session of the month and filled at the same close.
Decisions are monthly, as nothing else was said.
"""
from harness import equal_weight

NAME = "SPY"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
}


def decide(ctx):
    pool = ctx.universe
    target = equal_weight(pool)
    return target
