"""Shows what SPY did in each regime by volatility.
"""
from harness import regimes

NAME = "Regimes of SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return regimes(ctx, ["SPY"], "volatility")
