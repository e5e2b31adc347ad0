"""Follows SPY through times of stress, as held then and with today's weights. 2015 is 2015-01-01
to 2015-12-31. 2018 is 2018-01-01 to 2018-12-31.
"""
from harness import stress

NAME = "Stress test of SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return stress(ctx, ["SPY"], episodes=[{"name": "2015", "first": "2015-01-01", "last": "2015-12-31"}, {"name": "2018", "first": "2018-01-01", "last": "2018-12-31"}])
