"""Holds SPY and EFA weighted by inverse volatility over 60 sessions.
Each member is held only while it is above its 210-session moving average; otherwise its share
goes to 50% IEF and 50% GLD.
Decides on the last session of each month and trades at the same close.
"""
from harness import inverse_volatility, sma

NAME = "SPY and EFA, inverse volatility, each while it is above its 210-session moving average"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "IEF", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "average": {"type": "integer", "default": 210, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 2},
    "defensive": {"type": "array", "default": ["IEF", "GLD"],
        "title": "Defensive members", "description": "Held instead", "role": "advanced", "order": 3},
    "defensive_weights": {"type": "array", "default": [0.5, 0.5],
        "title": "Defensive weights", "description": "Fractions, in the order of the defensive members", "role": "advanced", "order": 4},
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 5},
}


def passes(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def decide(ctx):
    apart = ctx.inputs.defensive
    pool = [s for s in ctx.universe if s not in apart]
    # Nothing is held until what is looked at has its history.
    need = max(ctx.inputs.average, ctx.inputs.risk_lookback + 1)
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    winners = [s for s in pool if passes(ctx, s)]
    share = len(winners) / max(len(pool), 1)  # each that passes keeps its own part
    target = inverse_volatility(ctx.panel(winners, ctx.inputs.risk_lookback))
    target = {s: x * share for s, x in target.items()}
    left = 1.0 - share
    for s, x in zip(ctx.inputs.defensive, ctx.inputs.defensive_weights):
        target[s] = target.get(s, 0.0) + left * x
    return target
