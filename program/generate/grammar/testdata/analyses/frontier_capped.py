"""Finds the efficient frontier of the monthly returns of SPY, TLT and GLD, without short positions
and with at most 40% each, since 2010.
"""
from harness import frontier

NAME = "Efficient frontier of SPY, TLT and GLD since 2010"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_date": {"type": "string", "default": "2010-01-01",
        "title": "Start date", "role": "advanced", "order": 2},
}


def analyze(ctx):
    return frontier(ctx, ["SPY", "TLT", "GLD"], frequency="monthly", bounds={"default": [0, 0.4]})
