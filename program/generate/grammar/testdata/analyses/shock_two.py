"""Shows what the loadings of RMOM and CORE imply if SPY falls by 20% and TLT rises by 5%.
"""
from harness import stress

NAME = "RMOM and CORE if SPY falls by 20% and TLT rises by 5%"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM", "CORE", "SPY", "TLT"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return stress(ctx, ["RMOM", "CORE"], shocks={"SPY": -0.2, "TLT": 0.05})
