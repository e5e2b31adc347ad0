"""Runs RMOM with lookback from 3 to 12 in steps of 3 and hold 1, 2 and 5, ranked by the Sortino
ratio, and keeps the best 3.
"""
from harness import sweep

NAME = "Sweep of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return sweep(ctx, "RMOM", {"lookback": {"from": 3, "to": 12, "step": 3}, "hold": [1, 2, 5]}, metric="sortino", keep=3)
