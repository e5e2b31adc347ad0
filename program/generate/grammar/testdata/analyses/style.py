"""Finds the mix of SPY, EFA and AGG, without short positions, whose returns are nearest to those
of RMOM.
"""
from harness import style

NAME = "Style of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM", "SPY", "EFA", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return style(ctx, "RMOM", ["SPY", "EFA", "AGG"])
