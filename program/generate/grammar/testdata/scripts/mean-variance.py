"""Holds SPY, TLT and GLD weighted by mean and variance over 252 sessions with a risk aversion of
5.
Decides on the last session of each month and trades at the same close.
"""
from harness import mean_variance

NAME = "SPY, TLT and GLD, mean variance"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "risk_lookback": {"type": "integer", "default": 252, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 2},
    "risk_aversion": {"type": "number", "default": 5.0, "minimum": 0.1, "maximum": 1000.0,
        "title": "Risk aversion", "role": "primary", "order": 3},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.risk_lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    target = mean_variance(ctx.panel(pool, ctx.inputs.risk_lookback), ctx.inputs.risk_aversion)
    return target
