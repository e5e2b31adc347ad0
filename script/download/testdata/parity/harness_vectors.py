"""Harness vectors"""
from harness import rolling_mean, rolling_volatility, rolling_zscore, vector

NAME = "Harness vectors"
SCHEDULE = "weekly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    if ctx.sessions("A") < 130:
        return None
    p, r = ctx.prices("A", 120), ctx.returns("B", 119)
    smooth = rolling_mean(p, 20)
    moved = rolling_volatility(r, 20)
    z = rolling_zscore(p, 40)
    odd = vector([1, 2.5, -3])
    ctx.record("smooth", smooth.last() / smooth.first() - 1)
    ctx.record("moved", moved.median() + moved.max() - moved.min() + len(moved))
    ctx.record("z", z.abs().mean() + z[-1])
    ctx.record("growth", (r * 0.5 + 0.001).growth().last() + r.cumulative()[-1] + (-r).sum())
    ctx.record("mixed", (1 / p[1:] - p[:-1] / 2 + r).std() + odd.product() + sorted(odd)[0] + p[::7].mean() + len(p[-5:]))
    share = 0.5 + 0.4 * (1 if p.last() > smooth.last() else -1)
    return {"A": share, "B": min(0.5, moved.last())}
