"""Follows RMOM through times of stress, as held then and with today's weights. 2008 is 2007-10-10
to 2009-03-09. 2020 is 2020-02-20 to 2020-03-23.
"""
from harness import stress

NAME = "Stress test of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return stress(ctx, ["RMOM"], episodes=[{"name": "2008", "first": "2007-10-10", "last": "2009-03-09"}, {"name": "2020", "first": "2020-02-20", "last": "2020-03-23"}])
