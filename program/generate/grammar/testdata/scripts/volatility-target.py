"""Holds 60% SPY and 40% AGG.
Everything is scaled to a volatility of 10% a year, measured over 60 sessions, with at most 200%
of equity invested.
Decides on the last session of each month and trades at the same close.
"""
from harness import vol_target

NAME = "60% SPY and 40% AGG, at 10% volatility"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions of equity, in the order of the universe", "role": "primary", "order": 2},
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 3},
    "target_volatility": {"type": "number", "default": 0.1, "minimum": 0.005, "maximum": 1.0,
        "title": "Target volatility", "description": "A year, as a fraction", "role": "primary", "order": 4},
    "max_gross": {"type": "number", "default": 2.0, "minimum": 0.1, "maximum": 10.0,
        "title": "Largest exposure", "description": "As a fraction of equity", "role": "advanced", "order": 5},
}


def decide(ctx):
    # Nothing is held until what is looked at has its history.
    need = ctx.inputs.risk_lookback + 1
    if [s for s in ctx.inputs.universe if ctx.sessions(s) < need]:
        return None
    # Fractions of equity; what they leave is CASH.
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    target = vol_target(target, ctx.panel(list(target), ctx.inputs.risk_lookback), ctx.inputs.target_volatility,
                        ctx.inputs.max_gross, ctx.bars_per_year)
    return target
