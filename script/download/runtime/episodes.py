"""Dated episodes of stress, and what happened to money in them."""
import math

EPISODES = (  # from the session after the S&P 500's highest close to its lowest close
    ("1987", "1987-08-26", "1987-12-04"), ("2000", "2000-03-27", "2002-10-09"), ("2008", "2007-10-10", "2009-03-09"),
    ("2020", "2020-02-20", "2020-03-23"), ("2022", "2022-01-04", "2022-10-12"),
)


def through(base, dates, returns, first, last):
    """Return the return and the deepest fall of a series from the close before first to last; NaN if it does not cover them."""
    return held([1.0], [(base, dates, returns)], first, last)


def held(weights, series, first, last):
    """Return the same of weights that are bought at the close before first and held; what they leave of 1 is cash."""
    cash, values, steps = 1.0, [], {}
    for w, (base, dates, returns) in zip(weights, series):
        if w == 0:
            continue
        if base is None or base >= first or (dates[-1] if dates else base) < last:
            return math.nan, math.nan
        for day, r in zip(dates, returns):
            if first <= day <= last:
                steps.setdefault(day, []).append((len(values), r))
        cash -= w
        values.append(w)
    value = high = 1.0
    deepest = 0.0
    for day in sorted(steps):
        for i, r in steps[day]:
            values[i] *= 1 + r
        value = cash
        for v in values:
            value += v
        high = max(high, value)
        deepest = min(deepest, value / high - 1)
    return value - 1, deepest
