"""Long what beat bills over a year, short what did not, at equal risk.

Every position has the same volatility on its own: its weight is the target
volatility over the asset's volatility. The asset's volatility comes from an
exponential average of squared returns with a centre of mass of sixty days.
Positions are averaged over the assets, and gross exposure is limited.

Source: Tobias J. Moskowitz, Yao Hua Ooi and Lasse Heje Pedersen (2012), Time
Series Momentum, Journal of Financial Economics 104(2).

Departures: nine funds instead of 58 futures; each position at 20 % volatility
instead of 40 %, because funds, unlike futures, have to be paid for in full;
gross exposure of at most 2. Short sales cost nothing and their proceeds earn
nothing in gross results.
"""
import math

from harness import ema, normalize, roc

NAME = "Time-series momentum, long and short"
SYMBOL = "X-TSMOMLS"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array",
                 "default": ["SPY", "EFA", "EEM", "EWJ", "VNQ", "TLT", "LQD", "GLD", "DBC", "BIL"],
                 "title": "Assets, then bills, which are not held", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 21, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
    "target": {"type": "number", "default": 0.2, "minimum": 0.01, "maximum": 0.4,
               "title": "Volatility of a position", "role": "primary", "unit": "fraction a year", "order": 3},
    "gross": {"type": "number", "default": 2, "minimum": 0.1, "maximum": 10, "title": "Largest gross exposure",
              "role": "primary", "unit": "times equity", "order": 4},
}


def decide(ctx):
    assets, bills = ctx.inputs.universe[:-1], ctx.inputs.universe[-1]
    n = ctx.inputs.lookback
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) <= max(n, 252):
        return None
    hurdle = roc(ctx.prices(bills, n + 1), n)
    weights = {}
    for s in assets:
        if s not in ctx.universe:
            continue
        returns = ctx.returns(s, 252)
        off = returns - returns.mean()
        sigma = math.sqrt(ema(off * off, 121) * ctx.bars_per_year)  # a span of 121 sessions has its centre of mass at 60
        side = 1 if roc(ctx.prices(s, n + 1), n) > hurdle else -1
        weights[s] = side * ctx.inputs.target / sigma / len(assets)
    gross = sum([abs(w) for w in weights.values()])
    ctx.record("gross_wanted", gross)
    if gross > ctx.inputs.gross:
        weights = normalize(weights, ctx.inputs.gross)
    return weights
