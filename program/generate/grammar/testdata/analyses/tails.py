"""Finds the value at risk and the expected shortfall at 99% of RMOM.
"""
from harness import tails

NAME = "Tails of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return tails(ctx, ["RMOM"], level=0.99)
