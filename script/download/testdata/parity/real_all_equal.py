# bars: etf21
"""Real all equal"""
from harness import equal_weight

NAME = "Real all equal"
SCHEDULE = "yearly"
START = "first_member"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "QQQ", "IWM", "MDY", "VTI", "EFA", "EEM", "EWJ", "IEV", "AGG", "BIL", "SHY", "IEF", "TLT", "TIP", "LQD", "HYG", "VNQ", "IYR", "GLD", "DBC"]},
}


def decide(ctx):
    return equal_weight(ctx.universe)
