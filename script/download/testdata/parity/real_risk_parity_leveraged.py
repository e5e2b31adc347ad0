# bars: etf21
"""Real risk parity leveraged"""
from harness import risk_parity, vol_target

NAME = "Real risk parity leveraged"
SCHEDULE = "monthly"
START = "two_members"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "TLT", "IEF", "GLD", "DBC", "VNQ"]},
}


def decide(ctx):
    have = [s for s in ctx.universe if ctx.sessions(s) > 126]
    if len(have) < 2:
        return {"SPY": 0.5}
    panel = ctx.panel(have, 126)
    return vol_target(risk_parity(panel), panel, 0.12, max_gross=2.0, bars_per_year=ctx.bars_per_year)
