"""Measures: statistics of daily returns that need no dates."""
import math

from vector import _plain_sum

_DAYS_PER_YEAR = 365.25
_ROUNDING = 1e-14  # deviation up to which returns count as constant, relative to 1 + |mean|
_FLAT_MONTH = 1e-12  # largest absolute return of a month that counts as flat, because of rounding


def _said(x):
    """Replace numbers that are not finite with None."""
    if isinstance(x, dict):
        return {key: _said(v) for key, v in x.items()}
    if isinstance(x, list):
        return [_said(v) for v in x]
    return None if isinstance(x, float) and not math.isfinite(x) else x


def _ratio(a, b):
    return math.nan if b == 0 or math.isinf(b) else a / b


def _power(x, y):
    """Return x to the power of y, infinity on overflow, and NaN if it is not defined."""
    try:
        return math.pow(x, y)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def _unless_flat(deviation, mean):
    return 0.0 if deviation <= _ROUNDING * (1 + abs(mean)) else deviation


def _mean_of(x):
    return _plain_sum(x, 0.0) / len(x) if x else math.nan


def _best_worst(x):
    """Return the largest and the smallest value; NaN without values and if a value is NaN."""
    if not x or any(v != v for v in x):
        return math.nan, math.nan
    return max(x), min(x)


def _share(x, bound=0.0):
    """Return the fraction of x above a bound; NaN if a value is NaN."""
    if any(v != v for v in x):
        return math.nan
    return _ratio(float(len([v for v in x if v > bound])), float(len(x)))


def _equity(returns):
    """Return the growth of 1 since the base, starting with the base."""
    value = 1.0
    equity = [value]
    for r in returns:
        value *= 1 + r
        equity.append(value)
    return equity


def _cagr(growth, days):
    if days <= 0 or growth < 0:
        return math.nan
    return _power(growth, _DAYS_PER_YEAR / days) - 1


def _per_bar(annual, bpy):
    return 0.0 if annual == 0 else _power(1 + annual, 1 / bpy) - 1


class _Moments:
    """Mean, sample standard deviation, and skewness and excess kurtosis corrected for bias."""

    def __init__(self, x):
        self.mean = _mean_of(x)
        self.deviation = self.skewness = self.excess_kurtosis = math.nan
        n = len(x)
        if n < 2:
            return
        second = third = fourth = 0.0
        for v in x:
            d = v - self.mean
            d2 = d * d
            second += d2
            third += d2 * d
            fourth += d2 * d2
        self.deviation = _unless_flat(math.sqrt(second / (n - 1)), self.mean)
        if self.deviation == 0:
            return
        variance = second / n
        if n > 2:
            root = math.sqrt(n * (n - 1)) / (n - 2)
            self.skewness = _ratio(root * (third / n), variance * math.sqrt(variance))
        if n > 3:
            excess = _ratio(fourth / n, variance * variance) - 3
            self.excess_kurtosis = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6)


def _sharpe(moments, bar, bpy):
    return _ratio(moments.mean - bar, moments.deviation) * math.sqrt(bpy)


def _probabilistic_sharpe(moments, bar, n):
    """Return the probability that the true Sharpe ratio is above 0."""
    if n < 4:
        return math.nan
    sharpe = _ratio(moments.mean - bar, moments.deviation)
    variance = 1 - moments.skewness * sharpe + (moments.excess_kurtosis + 2) / 4 * (sharpe * sharpe)
    if not variance > 0:
        return math.nan
    return math.erfc(-(sharpe * math.sqrt(n - 1) / math.sqrt(variance)) / math.sqrt(2)) / 2


def _sortino(returns, bar, bpy):
    if len(returns) < 2:
        return math.nan
    total = squares = 0.0
    for r in returns:
        x = r - bar
        total += x
        below = min(x, 0.0)
        squares += below * below
    n = len(returns)
    return _ratio(total / n, _unless_flat(math.sqrt(squares / n), 0.0)) * math.sqrt(bpy)


def _omega(returns):
    if len(returns) < 2:
        return math.nan
    gains = losses = 0.0
    for r in returns:
        if r > 0:
            gains += r
        else:
            losses -= r
    return _ratio(gains, losses)


def _tails(returns):
    """Return the tail ratio, the value at risk and the conditional value at risk per bar."""
    n = len(returns)
    if n < 2 or any(r != r for r in returns):
        return math.nan, math.nan, math.nan
    ordered = sorted(returns)
    low = _percentile_of(ordered, 0.05)
    worst = ordered[:int(0.05 * (n - 1)) + 1]
    return abs(_ratio(_percentile_of(ordered, 1 - 0.05), low)), low, _mean_of(worst)


def _percentile_of(ordered, p):
    at = p * (len(ordered) - 1)
    k = int(at)
    part = at - k
    if part == 0 or k + 1 == len(ordered):
        return ordered[k]
    return ordered[k] + part * (ordered[k + 1] - ordered[k])


def _turnover(traded, years):
    if traded is None or not years > 0:
        return math.nan
    return _plain_sum(traded, 0.0) / 2 / years
