"""Lists the 5 worst drawdowns of CORE.
"""
from harness import drawdowns

NAME = "Drawdowns of CORE"

INPUTS = {
    "universe": {"type": "array", "default": ["CORE"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return drawdowns(ctx, ["CORE"], n=5)
