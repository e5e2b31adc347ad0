# bars: etf21
"""Real hedged short"""
from harness import beta, volatility

NAME = "Real hedged short"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["QQQ", "SPY", "IEF"]},
}


def decide(ctx):
    if ctx.sessions("QQQ") < 260:
        return None
    b = beta(ctx.returns("QQQ", 250), ctx.returns("SPY", 250))
    ctx.record("beta", b)
    ctx.record("risk", volatility(ctx.returns("QQQ", 60)))
    return {"QQQ": 1.0, "SPY": -b, "IEF": 0.5}
