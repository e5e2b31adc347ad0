"""Chooses look_back 3, 6 and 12 of RMOM by the compound return in all years before, at least 4
years, and holds the choice for 0.5 years.
"""
from harness import walk_forward

NAME = "Walk-forward of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return walk_forward(ctx, "RMOM", {"look_back": [3, 6, 12]}, train_years=4, test_years=0.5, anchored=True, metric="cagr")
