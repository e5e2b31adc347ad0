"""Shows what each member of RMOM contributed to its return, in 2022. No benchmark was named, so
the return itself is shown, as compared with cash that earns nothing.
"""
from harness import attribution

NAME = "Attribution of RMOM in 2022"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_date": {"type": "string", "default": "2022-01-01",
        "title": "Start date", "role": "advanced", "order": 2},
    "end_date": {"type": "string", "default": "2022-12-31",
        "title": "End date", "role": "advanced", "order": 3},
}


def analyze(ctx):
    return attribution(ctx, "RMOM")
