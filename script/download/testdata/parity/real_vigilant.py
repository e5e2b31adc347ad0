# bars: etf21
"""Real vigilant"""
from harness import equal_weight, momentum_score, top

NAME = "Real vigilant"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "AGG", "LQD", "IEF", "SHY"]},
}


RISKY = ["SPY", "EFA", "EEM", "AGG"]
SAFE = ["LQD", "IEF", "SHY"]

def score(ctx, s):
    return momentum_score(ctx.prices(s, 253), [21, 63, 126, 252], [12, 4, 2, 1])

def decide(ctx):
    if min([ctx.sessions(s) for s in RISKY + SAFE]) < 253:
        return None
    scores = {s: score(ctx, s) for s in RISKY}
    if min(scores.values()) > 0:
        return equal_weight(top(scores, 1))
    return equal_weight(top({s: score(ctx, s) for s in SAFE}, 1))
