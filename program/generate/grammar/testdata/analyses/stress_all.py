"""Follows RMOM and SPY through times of stress, as held then and with today's weights.
"""
from harness import stress

NAME = "Stress test of RMOM and SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM", "SPY"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return stress(ctx, ["RMOM", "SPY"])
