"""Correlates the ranks of the monthly returns of SPY and TLT, since 2010.
"""
from harness import correlation

NAME = "Correlation of SPY and TLT since 2010"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_date": {"type": "string", "default": "2010-01-01",
        "title": "Start date", "role": "advanced", "order": 2},
}


def analyze(ctx):
    return correlation(ctx, ["SPY", "TLT"], frequency="monthly", method="spearman")
