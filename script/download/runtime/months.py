"""Monthly returns, from month end to month end, over the months that all members have."""
import math
from datetime import date

from failure import ModelError
from frame import iso


class Months:
    """The members' returns by month; inflation is that of each month, or None if the plan has a rate."""

    def __init__(self, keys, returns, base, ends, inflation=None, prices=""):
        self.keys = keys
        self.returns = returns  # a list by month for each member
        self.base = base  # the day at which the first month begins
        self.ends = ends  # the last day of each month
        self.inflation = inflation
        self.prices = prices  # the series that inflation is from

    def since(self, year):
        """Return the months from January of a calendar year on."""
        first = sum(month_of(day) < 12 * year for day in self.ends)
        if first == 0:
            return self
        if first == len(self.ends):
            raise ModelError("since is %d, and the last month that %s have ends on %s: give an earlier year, or 0 for all months" % (year, self.members(), iso(self.ends[-1])))
        inflation = None if self.inflation is None else self.inflation[first:]
        return Months(self.keys, [r[first:] for r in self.returns], self.ends[first - 1], self.ends[first:], inflation, self.prices)

    def members(self):
        """Name what has the months, for messages."""
        return "the members and " + self.prices if self.prices else "the members"

    def mean_inflation(self):
        """Return the yearly rate at which prices have risen over all months: the geometric mean."""
        total = 0.0
        for x in self.inflation:
            total += math.log1p(x)
        return math.expm1(12 * total / len(self.inflation))


def month_of(day):
    """Number the months of the calendar."""
    d = date.fromordinal(day)
    return 12 * d.year + d.month - 1


def months_of(frame):
    """Compound daily returns. An incomplete first month is left out, the last month counts as it is."""
    axis = frame.axis
    month = [month_of(day) for day in axis]
    for m in frame.members:
        if m.first < 0:
            raise ModelError("the members have no whole month in common: %s has no bars" % m.key)
    first = max(month[m.first] for m in frame.members) + 1
    last = min(month[m.last] for m in frame.members)
    if first > last:
        raise ModelError("the members have no whole month in common: " + ", ".join(
            "%s from %s to %s" % (m.key, iso(axis[m.first]), iso(axis[m.last])) for m in frame.members))
    base = max((day for day, number in zip(axis, month) if number < first))
    closing = [number != following for number, following in zip(month, month[1:] + [None])]
    ends = [day for day, number, closes in zip(axis, month, closing) if closes and first <= number <= last]
    returns = []
    for m in frame.members:
        column, growth = [], 1.0
        for t in range(m.first + 1, len(axis)):
            if month[t] > last:
                break
            growth *= 1 + m.returns[t]
            if closing[t]:
                if month[t] >= first:
                    column.append(growth - 1)
                growth = 1.0
        returns.append(column)
    return Months([m.key for m in frame.members], returns, base, ends)
