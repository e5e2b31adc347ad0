"""Shows what the loadings of RMOM imply if SPY falls by 20%.
"""
from harness import stress

NAME = "RMOM if SPY falls by 20%"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM", "SPY"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return stress(ctx, ["RMOM"], shocks={"SPY": -0.2})
