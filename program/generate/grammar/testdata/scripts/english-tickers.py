"""Holds A, T, ALL and ON with equal weights.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight

NAME = "A, T, ALL and ON, equal weights"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["A", "T", "ALL", "ON"],
        "title": "Universe", "role": "primary", "order": 1},
}


def decide(ctx):
    pool = ctx.universe
    target = equal_weight(pool)
    return target
