"""Reports on RMOM against SPY.
"""
from harness import report

NAME = "Report on RMOM against SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM", "SPY"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return report(ctx, ["RMOM"], benchmark="SPY")
