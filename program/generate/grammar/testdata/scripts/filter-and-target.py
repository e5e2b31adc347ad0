"""Holds SPY and EFA with equal weights.
Each member is held only while it is above its 210-session moving average; otherwise its share
goes to CASH.
Everything is scaled to a volatility of 10% a year, measured over 60 sessions, with at most 150%
of equity invested.
Decides on the last session of each month and trades at the same close.
"""
from harness import equal_weight, sma, vol_target

NAME = "SPY and EFA, equal weights, each while it is above its 210-session moving average, at 10% volatility"
SCHEDULE = "monthly"
FILL = "close"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA"],
        "title": "Universe", "role": "primary", "order": 1},
    "average": {"type": "integer", "default": 210, "minimum": 2, "maximum": 1260,
        "title": "Moving average", "unit": "sessions", "role": "primary", "order": 2},
    "risk_lookback": {"type": "integer", "default": 60, "minimum": 5, "maximum": 1260,
        "title": "Risk lookback", "unit": "sessions", "role": "primary", "order": 3},
    "target_volatility": {"type": "number", "default": 0.1, "minimum": 0.005, "maximum": 1.0,
        "title": "Target volatility", "description": "A year, as a fraction", "role": "primary", "order": 4},
    "max_gross": {"type": "number", "default": 1.5, "minimum": 0.1, "maximum": 10.0,
        "title": "Largest exposure", "description": "As a fraction of equity", "role": "advanced", "order": 5},
}


def passes(ctx, s):
    # The price against its moving average.
    prices = ctx.prices(s, ctx.inputs.average)
    return prices.last() > sma(prices)


def decide(ctx):
    pool = ctx.universe
    # Nothing is held until what is looked at has its history.
    need = max(ctx.inputs.average, ctx.inputs.risk_lookback + 1)
    if [s for s in pool if ctx.sessions(s) < need]:
        return None
    winners = [s for s in pool if passes(ctx, s)]
    share = len(winners) / max(len(pool), 1)  # each that passes keeps its own part
    target = equal_weight(winners, share)
    target = vol_target(target, ctx.panel(list(target), ctx.inputs.risk_lookback), ctx.inputs.target_volatility,
                        ctx.inputs.max_gross, ctx.bars_per_year)
    return target
