"""Holds SPY.
Everything is scaled to a volatility of 10% a year, measured over 60 sessions, with at most 150%
of equity invested.
Decides on the last session of each month and trades at the same close.
No lookback of risk was given, so it is measured over 60 sessions.
No schedule was given, so decisions are monthly.
"""
from harness import equal_weight, vol_target

NAME = "SPY, at 10% volatility"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 2},
    "target_volatility": {"type": "number", "default": 0.1, "minimum": 0.005, "maximum": 1.0,
        "title": "Target volatility", "description": "A year, as a fraction", "role": "primary", "order": 3},
    "max_gross": {"type": "number", "default": 1.5, "minimum": 0.1, "maximum": 10.0,
        "title": "Largest exposure", "description": "As a fraction of equity", "role": "advanced", "order": 4},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.risk_lookback + 1
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    target = equal_weight(pool)
    target = vol_target(target, ctx.panel(list(target), ctx.inputs.risk_lookback), ctx.inputs.target_volatility,
                        ctx.inputs.max_gross, ctx.bars_per_year)
    return target
