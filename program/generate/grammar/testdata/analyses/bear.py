"""Shows what SPY and TLT did in each regime by drawdown.
"""
from harness import regimes

NAME = "Regimes of SPY and TLT"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return regimes(ctx, ["SPY", "TLT"], "drawdown")
