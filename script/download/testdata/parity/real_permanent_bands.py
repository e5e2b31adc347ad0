# bars: etf21
"""Real permanent bands"""
from harness import drifted

NAME = "Real permanent bands"
SCHEDULE = "daily"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD", "SHY"]},
}


TARGET = {"SPY": 0.25, "TLT": 0.25, "GLD": 0.25, "SHY": 0.25}

def decide(ctx):
    return TARGET if drifted(ctx.weights, TARGET, 0.1) else None
