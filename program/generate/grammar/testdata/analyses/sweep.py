"""Runs RMOM with lookback from 3 to 12, ranked by the Sharpe ratio.
"""
from harness import sweep

NAME = "Sweep of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return sweep(ctx, "RMOM", {"lookback": {"from": 3, "to": 12, "step": 1}})
