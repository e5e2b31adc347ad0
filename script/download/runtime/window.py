"""The members' returns between two dates, by day and by month."""
import math
from bisect import bisect_left, bisect_right

from columns import Column
from frame import iso
from inputs import nearest
from months import month_of

DAILY, MONTHLY = "daily", "monthly"
MOST_NAMES = 8


class Rows:
    """The returns of all members by day or by month; NaN is a missing one."""

    def __init__(self, dates, columns, per_year):
        self.dates, self.columns, self.per_year = dates, columns, per_year


class Window:
    """A frame cut to the days from first to last; None does not limit."""

    def __init__(self, frame, first=None, last=None):
        self.frame, self.first, self.last = frame, first, last
        self.keys = [m.key for m in frame.members]
        self._by = {}
        if not self.rows(DAILY).dates:
            raise ValueError("no member has a return between %s and %s: %s"
                             % (iso(first) if first else "the beginning", iso(last) if last else "the end", self.spans(self.keys)))

    def rows(self, frequency):
        """Return the returns by a frequency."""
        if frequency not in self._by:
            rows = months_of(self.frame) if frequency == MONTHLY else days_of(self.frame)
            begin = 0 if self.first is None else bisect_left(rows.dates, self.first)
            end = len(rows.dates) if self.last is None else max(begin, bisect_right(rows.dates, self.last))
            self._by[frequency] = Rows(rows.dates[begin:end], [Column(c.name, c.values[begin:end]) for c in rows.columns], rows.per_year)
        return self._by[frequency]

    def columns(self, keys, frequency):
        """Return the returns of members."""
        for key in keys:
            if key not in self.keys:
                raise ValueError("%s is not in the universe%s" % (
                    key, nearest(key, self.keys) or ", which has %s: add it there" % joined(self.keys)))
        rows = self.rows(frequency)
        return [rows.columns[self.keys.index(key)] for key in keys]

    def common(self, columns, frequency):
        """Return the rows in which all columns have a return; none is an error that says when each begins and ends."""
        values = zip(*[c.values for c in columns])
        rows = [t for t, row in enumerate(values) if not any(x != x for x in row)]
        if not rows:
            keys = list(dict.fromkeys(c.name for c in columns))
            raise ValueError("%s have no %s returns in common: %s" % (joined(keys), frequency, self.spans(keys)))
        return rows

    def before(self, t):
        """Return the session before a day of the window."""
        axis = self.frame.axis
        return axis[max(bisect_left(axis, self.rows(DAILY).dates[t]) - 1, 0)]

    def series(self, column):
        """Return the daily returns that a member has with their dates, and the session before the first of them."""
        rows = [t for t, v in enumerate(column.values) if v == v]
        dates = self.rows(DAILY).dates
        return iso(self.before(rows[0])) if rows else None, [iso(dates[t]) for t in rows], [column.values[t] for t in rows]

    def spans(self, keys):
        """Say when the returns of members begin and end."""
        texts = []
        for key in keys:
            m = self.frame.members[self.keys.index(key)]
            if m.first == m.last:
                texts.append("%s has no returns" % key)
            else:
                texts.append("%s from %s to %s" % (key, iso(self.frame.axis[m.first + 1]), iso(self.frame.axis[m.last])))
        return ", ".join(texts)


def joined(names):
    """Join names; of many only the first are shown."""
    if len(names) < 2:
        return names[0] if names else "nothing"
    if len(names) > MOST_NAMES:
        return "%s and %d others" % (", ".join(names[:MOST_NAMES]), len(names) - MOST_NAMES)
    return ", ".join(names[:-1]) + " and " + names[-1]


def days_of(frame):
    """Return the daily returns. A day without a bar of the member has none."""
    columns = []
    for m in frame.members:
        known = [bar and 0 <= m.first < t for t, bar in enumerate(m.bars)]
        columns.append(Column(m.key, [r if k else math.nan for r, k in zip(m.returns, known)]))
    return Rows(frame.axis, columns, float(frame.bars_per_year))


def months_of(frame):
    """Compound daily returns from month end to month end. An incomplete first month has none; the last one counts as it is."""
    axis = frame.axis
    last = [t for t, day in enumerate(axis) if t + 1 == len(axis) or month_of(day) != month_of(axis[t + 1])]
    columns = []
    for m in frame.members:
        values, before = [], -1
        for t in last:
            value = math.nan
            if 0 <= m.first <= before and any(m.bars[before + 1:t + 1]):
                growth = 1.0
                for r in m.returns[before + 1:t + 1]:
                    growth *= 1 + r
                value = growth - 1
            values.append(value)
            before = t
        columns.append(Column(m.key, values))
    return Rows([axis[t] for t in last], columns, 12.0)
