"""Harness risk"""
from harness import (
    correlation, covariance, inverse_volatility, mean_variance, min_variance, portfolio_volatility, risk_contribution, risk_parity,
    vol_target,
)

NAME = "Harness risk"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "C", "D"]},
}


def decide(ctx):
    if ctx.sessions("A") < 130:
        return None
    panel = ctx.panel(ctx.universe, 120)
    m = covariance(panel, 0.3)
    shrunk = covariance(panel, "ledoit_wolf")
    c = correlation(panel)
    equal = risk_parity(panel)
    budget = risk_parity(shrunk, budget={s: 1.0 + i for i, s in enumerate(ctx.universe)})
    least = min_variance(m, lower=0.05, upper={"A": 0.3, "B": 0.9, "C": 0.5, "D": 0.6})
    short = min_variance(panel, lower=-0.2, total=0.9)
    best = mean_variance(panel, risk_aversion=8.0, upper=0.6)
    told = mean_variance(shrunk, 3.0, expected={"A": 0.0005, "B": 0.0004, "C": 0.0006, "D": 0.0001})
    shares = risk_contribution(equal, panel)
    ctx.record("shares", shares["A"] - shares["B"])
    ctx.record("volatility", portfolio_volatility(budget, panel) + portfolio_volatility(least, m, 365))
    ctx.record("matrix", m["A"]["B"] + shrunk["C"]["C"] + c["A"]["D"] + (m + shrunk * 0.5 - m / 3)["B"]["D"] + m.diagonal()["A"])
    ctx.record("times", m.times(best)["A"] + sum([x for x in (-c).times({"A": 1.0}).values()]) + len(c.symbols) + len(m))
    weights = inverse_volatility(panel)
    for part in [equal, budget, least, short, best, told]:
        for s in part:
            weights[s] = weights.get(s, 0.0) + part[s]
    return vol_target(weights, panel, 0.08, max_gross=1.5)
