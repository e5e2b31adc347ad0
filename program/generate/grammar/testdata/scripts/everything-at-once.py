"""Holds the 4 of XLK, XLE, XLU, XLF, SPY and IWM with the highest return over 126 sessions without
the last 21 sessions, weighted by inverse volatility over 60 sessions.
No member gets more than 40%; what is cut off goes to the others in proportion.
Decides on the last session of each month and trades at the close of the next session.
No lookback of risk was given, so it is measured over 60 sessions.
"""
from harness import cap, inverse_volatility, momentum, top

NAME = "Top 4 of XLK, XLE, XLU, XLF and 2 more, inverse volatility"
SCHEDULE = "monthly"
FILL = "next_close"

INPUTS = {
    "universe": {"type": "array", "default": ["XLK", "XLE", "XLU", "XLF", "SPY", "IWM"],
        "title": "Universe", "role": "primary", "order": 1},
    "lookback": {"type": "integer", "default": 126, "minimum": 2, "maximum": 1260,
        "title": "Momentum lookback", "unit": "sessions", "role": "primary", "order": 2},
    "skip": {"type": "integer", "default": 21, "minimum": 0, "maximum": 252,
        "title": "Skipped sessions", "unit": "sessions", "role": "primary", "order": 3},
    "hold": {"type": "integer", "default": 4, "minimum": 1, "maximum": 10,
        "title": "Holdings", "role": "primary", "order": 4},
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 5},
    "cap": {"type": "number", "default": 0.4, "minimum": 0.01, "maximum": 1.0,
        "title": "Cap", "description": "The largest weight of a member", "role": "primary", "order": 6},
}


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = max(ctx.inputs.lookback + 1, ctx.inputs.risk_lookback + 1)
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback + 1), ctx.inputs.skip) for s in pool}
    chosen = top(scores, ctx.inputs.hold)
    target = inverse_volatility(ctx.panel(chosen, ctx.inputs.risk_lookback))
    target = cap(target, ctx.inputs.cap)
    return target
