"""Follows return, volatility and beta of RMOM over rolling windows of 3 years against SPY.
"""
from harness import rolling

NAME = "Rolling returns of RMOM against SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM", "SPY"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return rolling(ctx, ["RMOM"], [3], benchmark="SPY")
