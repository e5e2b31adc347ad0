# bars: etf21
# input: lookback=189
"""Real regional momentum"""
from harness import equal_weight, momentum, top

NAME = "Real regional momentum"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "AGG"]},
    "lookback": {"type": "integer", "default": 252, "minimum": 21, "maximum": 756},
    "hold": {"type": "integer", "default": 2, "minimum": 1, "maximum": 10},
}


def decide(ctx):
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback)) for s in ctx.universe
              if ctx.sessions(s) > ctx.inputs.lookback}
    ctx.record("breadth", len([s for s in scores.values() if s > 0]))
    winners = [s for s in top(scores, ctx.inputs.hold) if scores[s] > 0]
    return equal_weight(winners)
