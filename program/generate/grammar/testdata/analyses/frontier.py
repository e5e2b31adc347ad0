"""Finds the efficient frontier of the returns of SPY, TLT and GLD, without short positions.
"""
from harness import frontier

NAME = "Efficient frontier of SPY, TLT and GLD"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return frontier(ctx, ["SPY", "TLT", "GLD"])
