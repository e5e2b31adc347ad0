"""Periods: returns by calendar month and year, and over rolling windows of years."""
import math
from datetime import date

from measures import _power


class _Series:
    """A base with dated returns; days are numbers as in datetime.date.toordinal."""

    def __init__(self, base, dates, returns):
        if len(dates) != len(returns):
            raise ValueError("metrics: there are %d dates and %d returns" % (len(dates), len(returns)))
        self.base_day = date.fromisoformat(base).toordinal() if base else None
        self.days_of_dates = [date.fromisoformat(d).toordinal() for d in dates]
        self.returns = returns

    def last_day(self):
        return self.days_of_dates[-1] if self.days_of_dates else self.base_day

    def days(self):
        """Return the calendar days from the base to the end, or 0 without a base or a return."""
        if self.base_day is None or not self.days_of_dates:
            return 0
        return self.last_day() - self.base_day

    def text(self, position):
        """Return the day and the date of a position of the equity curve; the base is position 0."""
        day = self.days_of_dates[position - 1] if position > 0 else self.base_day
        return day, None if day is None else date.fromordinal(day).isoformat()


def _months(days, returns):
    """Compound returns by calendar month; return lists of year, month and growth."""
    months = []
    previous = None
    for day, r in zip(days, returns):
        d = date.fromordinal(day)
        if (d.year, d.month) != previous:
            previous = (d.year, d.month)
            months.append([d.year, d.month, 1.0])
        months[-1][2] *= 1 + r
    return months


def _compounded(months):
    growth = 1.0
    for month in months:
        growth *= month[2]
    return growth


def _years(series, months, bpy):
    """Return the table of months; the first and last year are marked as partial if not covered completely."""
    table = []
    growth = 1.0
    for year, month, factor in months:
        if not table or table[-1]["year"] != year:
            table.append({"year": year, "months": [math.nan] * 12, "year_return": 0.0, "partial": False})
            growth = 1.0
        growth *= factor
        table[-1]["months"][month - 1] = factor - 1
        table[-1]["year_return"] = growth - 1
    if table:
        if series.base_day is None or series.base_day >= date(table[0]["year"], 1, 1).toordinal():
            table[0]["partial"] = True
        if series.last_day() < _last_session(table[-1]["year"], bpy):
            table[-1]["partial"] = True
    return table


def _last_session(year, bpy):
    """Return the last day of a year on calendar days, else the last weekday of December."""
    last = date(year, 12, 31)
    beyond = max(last.weekday() - 4, 0) if bpy <= 300 else 0
    return last.toordinal() - beyond


def _rolling_ranges(equity, bpy):
    if not math.isfinite(equity[-1]):
        equity = []
    spans = (("one_year", 1), ("three_year", 3), ("five_year", 5))
    return {name: _rolling_range(equity, years, bpy) for name, years in spans}


def _rolling_range(equity, years, bpy):
    """Return minimum, median and maximum of the annualised return over all windows of whole years."""
    span = years * bpy
    growths = sorted(equity[t] / equity[t - span] for t in range(span, len(equity)) if equity[t - span] > 0)
    n = len(growths)
    if n == 0:
        return {"min": math.nan, "median": math.nan, "max": math.nan}
    annual = [_power(g, 1 / years) - 1 for g in (growths[0], growths[(n - 1) // 2], growths[n // 2], growths[-1])]
    median = annual[2] if n % 2 == 1 else (annual[1] + annual[2]) / 2
    return {"min": annual[0], "median": median, "max": annual[3]}
