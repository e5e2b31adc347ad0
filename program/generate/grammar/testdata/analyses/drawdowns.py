"""Lists the worst drawdowns of CORE and SPY.
"""
from harness import drawdowns

NAME = "Drawdowns of CORE and SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["CORE", "SPY"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return drawdowns(ctx, ["CORE", "SPY"])
