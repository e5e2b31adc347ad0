"""Comparison: a series compared with a benchmark."""
import math

from measures import _FLAT_MONTH, _cagr, _mean_of, _Moments, _power, _ratio, _sharpe, _unless_flat
from periods import _compounded, _months, _Series


def _compare(series, benchmark, bar, bpy):
    """Return the statistics of a series compared with a benchmark, over the sessions that both cover."""
    symbol, base, dates, returns = benchmark
    b, start, end = _aligned(series, _Series(base, dates, returns))
    r, days = series.returns[start:end], series.days_of_dates[start:end]
    beta, intercept, correlation = _least_squares(r, b, bar)
    difference = _Moments([x - y for x, y in zip(r, b)])
    ours, theirs = _months(days, r), _months(days, b)
    active = math.nan
    if r:
        span = days[-1] - (series.days_of_dates[start - 1] if start > 0 else series.base_day)
        active = _cagr(_compounded(ours), span) - _cagr(_compounded(theirs), span)
    return {
        "symbol": symbol,
        "beta": beta,
        "alpha": intercept * bpy,
        "r_squared": correlation * correlation,
        "correlation": correlation,
        "tracking_error": difference.deviation * math.sqrt(bpy),
        "information_ratio": _sharpe(difference, 0.0, bpy),
        "up_capture": _capture(ours, theirs, lambda growth: growth - 1 > _FLAT_MONTH),
        "down_capture": _capture(ours, theirs, lambda growth: 1 - growth > _FLAT_MONTH),
        "active_return": active,
    }


def _aligned(series, benchmark):
    """Return the benchmark's returns on the series' sessions from start to end, each since the previous session."""
    if series.base_day is None or benchmark.base_day is None:
        return [], 0, 0
    sessions, bars = series.days_of_dates, benchmark.days_of_dates
    start, previous = 0, series.base_day
    while start < len(sessions) and previous < benchmark.base_day:
        previous = sessions[start]
        start += 1
    at = 0
    while at < len(bars) and bars[at] <= previous:
        at += 1
    first, out = at, []
    for day in sessions[start:]:
        if day > benchmark.last_day():
            break
        move = 0.0
        if at < len(bars) and bars[at] <= day:
            move = benchmark.returns[at]
            at += 1
            while at < len(bars) and bars[at] <= day:
                move = (1 + move) * (1 + benchmark.returns[at]) - 1
                at += 1
        out.append(move)
    if at == first:
        return [], start, start
    return out, start, start + len(out)


def _least_squares(y, x, bar):
    """Return slope, intercept and correlation of the regression of the excess returns y on x."""
    n = len(x)
    if n < 2:
        return math.nan, math.nan, math.nan
    mean_x, mean_y = _mean_of(x), _mean_of(y)
    xx = xy = yy = 0.0
    for a, b in zip(x, y):
        dx, dy = a - mean_x, b - mean_y
        xx += dx * dx
        xy += dx * dy
        yy += dy * dy
    if _unless_flat(math.sqrt(xx / n), mean_x) == 0:
        return math.nan, math.nan, math.nan
    beta = _ratio(xy, xx)
    correlation = math.nan
    if _unless_flat(math.sqrt(yy / n), mean_y) > 0:
        # Rounding must not push the correlation out of its range.
        correlation = _ratio(xy, math.sqrt(xx) * math.sqrt(yy))
        correlation = max(-1.0, min(1.0, correlation)) if correlation == correlation else math.nan
    return beta, mean_y - bar - beta * (mean_x - bar), correlation


def _capture(series, benchmark, counts):
    """Return the annualised return divided by the benchmark's, over the months that count."""
    months = 0
    ours = theirs = 1.0
    for s, b in zip(series, benchmark):
        if counts(b[2]):
            months += 1
            ours *= s[2]
            theirs *= b[2]
    if months == 0:
        return math.nan
    return _ratio(_power(ours, 12 / months) - 1, _power(theirs, 12 / months) - 1)
