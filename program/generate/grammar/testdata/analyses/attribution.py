"""Shows where the difference between RMOM and CORE comes from by year.
"""
from harness import attribution

NAME = "Attribution of RMOM against CORE"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM", "CORE"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return attribution(ctx, "RMOM", benchmark="CORE", by="year")
