"""Finds the principal components of the returns of SPY, TLT, GLD and EFA.
"""
from harness import components

NAME = "Components of SPY, TLT, GLD and EFA"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD", "EFA"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return components(ctx, ["SPY", "TLT", "GLD", "EFA"])
