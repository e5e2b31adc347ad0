"""Reports on RMOM, from 2010 to 2020.
"""
from harness import report

NAME = "Ten years"
SYMBOL = "TENY"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_date": {"type": "string", "default": "2010-01-01",
        "title": "Start date", "role": "advanced", "order": 2},
    "end_date": {"type": "string", "default": "2020-12-31",
        "title": "End date", "role": "advanced", "order": 3},
}


def analyze(ctx):
    return report(ctx, ["RMOM"])
