"""Holds SPY.
Decides on the last session of each month and trades at the same close.
No schedule was given, so decisions are monthly.
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
