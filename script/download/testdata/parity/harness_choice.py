"""Harness choice"""
from harness import above, blend, bottom, breadth, cap, equal_weight, limit_turnover, normalize, proportional, rank, remainder, roc, scale, top

NAME = "Harness choice"
SCHEDULE = "monthly"
START = "first_member"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "C", "D", "LATE"]},
}


def decide(ctx):
    have = [s for s in ctx.universe if ctx.sessions(s) > 70]
    scores = {s: roc(ctx.prices(s, 64), 63) for s in have}
    ranks = rank(scores)
    ctx.record("breadth", breadth(scores, 0.01))
    ctx.record("rank", sum([ranks[s] * (i + 1) for i, s in enumerate(have)]))
    good = above(scores)
    base = cap(proportional(scores), 0.4)
    mixed = blend(base, equal_weight(bottom(scores, 2), 0.5), 0.75)
    full = remainder(normalize(mixed, 0.8), "D")
    target = scale(full, 1.1 if len(good) > 2 else 0.9)
    ctx.record("top", len(top(scores, 2)) + len(good))
    return limit_turnover(ctx.weights, target, 0.6)
