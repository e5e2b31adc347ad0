# bars: synthetic
"""Harness signals"""
from harness import (
    beta, correlation, covariance, crossover, downside_deviation, drawdown, ema, highest, lowest, max_drawdown, momentum,
    momentum_score, percent_rank, percentile, r_squared, roc, rsi, sharpe, slope, sma, volatility, wma, zscore,
)

NAME = "Harness signals"
SCHEDULE = "monthly"
START = "all_members"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "D"]},
}


def decide(ctx):
    if ctx.sessions("A") < 260:
        return None
    weights = {}
    for s in ["A", "B"]:
        p, r = ctx.prices(s, 253), ctx.returns(s, 252)
        other = ctx.returns("D", 252)
        numbers = {
            "beta": beta(r, other), "correlation": correlation(r, other), "covariance": covariance(r, other),
            "crossover": crossover(p, 5, 20), "downside": downside_deviation(r), "drawdown": drawdown(p),
            "ema": ema(p, 21), "highest": highest(p, 60), "lowest": lowest(p, 60), "depth": max_drawdown(p),
            "momentum": momentum(p, 21), "score": momentum_score(p, [21, 63, 126, 252], [12, 4, 2, 1]),
            "plain_score": momentum_score(p, [21, 63]), "percent_rank": percent_rank(p, 100), "percentile": percentile(r, 0.35),
            "r_squared": r_squared(p, 90), "roc": roc(p, 63), "rsi": rsi(p), "sharpe": sharpe(r), "slope": slope(p, 90),
            "sma": sma(p, 200), "volatility": volatility(r), "wma": wma(p, 30), "zscore": zscore(p, 50),
            "all": sma(p) + zscore(r) + percent_rank(p) + slope(p) + r_squared(r) + highest(p) + lowest(p), "year": volatility(r, 365),
        }
        for name in sorted(numbers):
            ctx.record(s + "." + name, numbers[name])
        weights[s] = 0.3 if numbers["score"] > 0 and numbers["rsi"] < 70 else 0.1 * numbers["percent_rank"]
    return weights
