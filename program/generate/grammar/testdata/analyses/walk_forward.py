"""Chooses lookback from 3 to 12 of RMOM by the Sharpe ratio in 5 years of training, and holds the
choice for 1 year. No length was given, so training is 5 years. No length was given, so each
test is 1 year.
"""
from harness import walk_forward

NAME = "Walk-forward of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return walk_forward(ctx, "RMOM", {"lookback": {"from": 3, "to": 12, "step": 1}}, train_years=5, test_years=1)
