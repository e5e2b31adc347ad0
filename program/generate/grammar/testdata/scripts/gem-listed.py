"""Holds GEM, SPY and AGG with equal weights.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight

NAME = "GEM, SPY and AGG, equal weights"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["GEM", "SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
}


def decide(ctx):
    pool = ctx.universe
    target = equal_weight(pool)
    return target
