"""Correlates the returns of SPY, TLT, GLD and CORE.
"""
from harness import correlation

NAME = "Correlation of SPY, TLT, GLD and CORE"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD", "CORE"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return correlation(ctx, ["SPY", "TLT", "GLD", "CORE"])
