"""Series of daily total returns, and the time axis that all members share."""
from datetime import date
from itertools import accumulate

from exchange import all_days, planned_sessions

WINDOW = 7  # days up to the first session that count as part of it for a seven-day member


def iso(day):
    """Return a day as YYYY-MM-DD."""
    return date.fromordinal(day).isoformat()


class Series:
    """Daily total returns of one member; base is the day of the first bar, which has no return."""

    def __init__(self, base, dates, returns, seven_day=False, delisted=False):
        self.base = base
        self.dates = dates
        self.returns = returns
        self.seven_day = seven_day
        self.delisted = delisted


class Member:
    """A series on the axis: one return per session, and whether the session has a bar."""

    def __init__(self, key, sessions, delisted):
        self.key = key
        self.returns = [0.0] * sessions
        self.bars = [False] * sessions
        self.first = self.last = -1  # positions of the first and the last bar
        self.delisted = delisted
        self._index = None

    def mark(self, t):
        """Record a bar on session t."""
        if self.first < 0:
            self.first = t
        self.last = t
        self.bars[t] = True

    def prices(self, t, n):
        """Return the last n values of the total-return index up to session t; None means all."""
        if self.first < 0 or self.first > t:
            return []
        if self._index is None:
            growth = [1.0 + r for r in self.returns[self.first:]]
            self._index = list(accumulate(growth, lambda level, x: level * x))
        return tail(self._index, t - self.first + 1, n)

    def past_returns(self, t, n):
        """Return the last n returns up to session t; None means all. The first bar has none."""
        if self.first < 0 or self.first > t:
            return []
        return tail(self.returns, t + 1, n, self.first + 1)


def tail(values, end, n, begin=0):
    """Return the last n of values[begin:end], or all without n."""
    if n is not None:
        begin = max(begin, end - n)
    return values[begin:end]


class Frame:
    """The members of a model on one axis of days."""

    def __init__(self, axis, members, bars_per_year):
        self.axis = axis
        self.members = members
        self.bars_per_year = bars_per_year

    def calendar(self):
        """Return the planned sessions."""
        if self.bars_per_year == 365:
            return all_days()
        return planned_sessions(self.axis[0], self.axis[-1])


def align(sources):
    """Put series, by key, on one axis, in order.

    The axis has the days on which exchange-traded members have bars. If all
    members are seven-day members, it has the days of their bars.
    """
    exchange = any(not s.seven_day for s in sources.values())
    days = set()
    for s in sources.values():
        if not exchange or not s.seven_day:
            days.add(s.base)
            days.update(s.dates)
    axis = sorted(days)
    position = {day: t for t, day in enumerate(axis)}
    members = []
    for key, s in sources.items():
        m = Member(key, len(axis), s.delisted)
        if exchange and s.seven_day:
            compound(m, axis, s)
        else:
            place(m, position, s)
        members.append(m)
    return Frame(axis, members, 252 if exchange else 365)


def place(m, position, s):
    """Put a series whose days are all on the axis into m."""
    m.mark(position[s.base])
    for day, r in zip(s.dates, s.returns):
        t = position[day]
        m.mark(t)
        m.returns[t] = r


def compound(m, axis, s):
    """Put a seven-day series into m; each session compounds the days since the previous one."""
    t = 0
    for day, r in zip([s.base] + s.dates, [0.0] + s.returns):
        while t < len(axis) and axis[t] < day:
            t += 1
        if t == len(axis) or t == 0 and day <= axis[0] - WINDOW:
            continue  # after the last session, or long before the first
        alone = m.last < t
        m.mark(t)
        if t == m.first:
            continue  # the first price has no return
        m.returns[t] = r if alone else (1 + m.returns[t]) * (1 + r) - 1
