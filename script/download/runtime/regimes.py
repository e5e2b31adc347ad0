"""Regimes: days sorted by what a market did before them."""
import math
from bisect import bisect_left
from itertools import accumulate

from losses import percentile_of

RULES = "drawdown", "volatility", "trend"
DEEP = 0.1  # below the highest close
VOLATILITY_SPAN = 63
TREND_SPAN = 200


def regimes_of(market, rule):
    """Return the regime of each day; "" for the first days, for which the rule has too few returns."""
    for t, v in enumerate(market.values):
        if not math.isfinite(v):
            raise ValueError("%s has no return in row %d, so the regimes after it cannot be told" % (market.name, t))
    return {"drawdown": by_drawdown, "volatility": by_volatility, "trend": by_trend}[rule](market.values)


def by_drawdown(returns):
    """Tell days after a close far below the highest one."""
    out, value, high = [], 1.0, 1.0
    for r in returns:
        out.append("drawdown" if value <= high * (1 - DEEP) else "normal")
        value *= 1 + r
        high = max(high, value)
    return out


def deviation_of(x):
    """Return the sample deviation."""
    mean = sum(x) / len(x)
    return math.sqrt(sum((v - mean) ** 2 for v in x) / (len(x) - 1))


def by_volatility(returns):
    """Tell days after returns that deviate more than they did most of the time so far."""
    out, ordered = [""] * min(VOLATILITY_SPAN, len(returns)), []
    for t in range(VOLATILITY_SPAN, len(returns)):
        deviation = deviation_of(returns[t - VOLATILITY_SPAN:t])
        ordered.insert(bisect_left(ordered, deviation), deviation)
        out.append("high" if deviation > percentile_of(ordered, 0.5) else "low")
    return out


def by_trend(returns):
    """Tell days after a close above the mean of the last ones."""
    closes = list(accumulate(returns, lambda close, r: close * (1 + r), initial=1.0))
    out = [""] * min(TREND_SPAN - 1, len(returns))
    for t in range(TREND_SPAN - 1, len(returns)):
        out.append("up" if closes[t] > sum(closes[t + 1 - TREND_SPAN:t + 1]) / TREND_SPAN else "down")
    return out


def by_regime(column, regimes, per_year):
    """Return regime, days, yearly return and yearly volatility of a series in each regime, by name."""
    days = {}
    for name, v in zip(regimes, column.values):
        if name:
            of = days.setdefault(name, [])
            if v == v:
                of.append(v)
    out = []
    for name, returns in sorted(days.items()):
        growth = math.prod(1 + r for r in returns)
        grown = max(0.0, growth) ** (per_year / len(returns)) - 1 if returns else math.nan
        spread = deviation_of(returns) * math.sqrt(per_year) if len(returns) > 1 else math.nan
        out.append((name, float(len(returns)), grown, spread))
    return out
