"""Follows return, volatility and beta of RMOM over rolling windows of 1, 3 and 5 years. No length
was given, so windows of 1, 3 and 5 years are shown.
"""
from harness import rolling

NAME = "Rolling returns of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return rolling(ctx, ["RMOM"], [1, 3, 5])
