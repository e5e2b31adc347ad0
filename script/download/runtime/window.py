"""The returns of members and of columns of series between two dates, by day and by month."""
import math
from bisect import bisect_left, bisect_right

from columns import Column
from entries import meaning
from frame import iso
from inputs import nearest
from months import month_of
from outside import month_end

DAILY, MONTHLY = "daily", "monthly"
MOST_NAMES = 8


class Rows:
    """The returns of all sources by day or by month; NaN is a missing one."""

    def __init__(self, dates, columns, per_year):
        self.dates, self.columns, self.per_year = dates, columns, per_year


class Source:
    """The returns of one member on its own days, or of a column of a series; base is the day before the first, or None."""

    def __init__(self, key, base, dates, returns, outside=False):
        self.key, self.base, self.dates, self.returns, self.outside = key, base, dates, returns, outside
        # A column of a series has months if all of its dates are the last days of theirs.
        self.monthly = outside and len(dates) > 0 and all(day == month_end(day) for day in dates)

    def by_day(self, days):
        """Return the returns of days."""
        known = {} if self.monthly else dict(zip(self.dates, self.returns))
        return [known.get(day, math.nan) for day in days]

    def by_month(self, ends):
        """Compound from month end to month end.

        An incomplete first month has no return, nor has a month without a bar; the last
        month counts as it is.
        """
        growth = {}
        for day, r in zip(self.dates, self.returns):
            number = month_of(day)
            growth[number] = growth.get(number, 1.0) * (1 + r)
        if self.dates and not self.monthly and (self.base is None or month_of(self.base) == month_of(self.dates[0])):
            del growth[month_of(self.dates[0])]
        return [growth.get(month_of(day), math.nan) - 1 for day in ends]


def member_source(frame, m):
    """Return the days on which a member has a bar of its own."""
    days = [t for t in range(m.first + 1, m.last + 1) if m.bars[t]] if m.first >= 0 else []
    base = frame.axis[m.first] if m.first >= 0 else None
    return Source(m.key, base, [frame.axis[t] for t in days], [m.returns[t] for t in days])


class Window:
    """The returns of a frame and of columns of series, cut to the days from first to last; None does not limit."""

    def __init__(self, frame, outside=(), first=None, last=None):
        self.per_year, self.first, self.last = float(frame.bars_per_year), first, last
        self.sources = [member_source(frame, m) for m in frame.members]
        self.sources += [Source(key, None, dates, returns, True) for key, dates, returns in outside]
        self.keys = [s.key for s in self.sources]
        days = set(frame.axis)
        for s in self.sources:
            if s.outside and not s.monthly:
                days.update(s.dates)
        self.axis = sorted(days)
        self._by = {}
        if not self.rows(DAILY).dates:
            raise ValueError("no member has a return between %s and %s: %s"
                             % (iso(first) if first else "the beginning", iso(last) if last else "the end", self.spans(self.keys)))

    def rows(self, frequency):
        """Return the returns by a frequency."""
        if frequency not in self._by:
            monthly = frequency == MONTHLY
            begin, dates = self.cut(self.month_ends() if monthly else self.axis)
            columns = [Column(s.key, s.by_month(dates) if monthly else s.by_day(dates)) for s in self.sources]
            self._by[frequency] = Rows(dates, columns, 12.0 if monthly else self.per_year)
        return self._by[frequency]

    def cut(self, dates):
        """Return the position of the first date in the window, and the dates in it."""
        begin = 0 if self.first is None else bisect_left(dates, self.first)
        end = len(dates) if self.last is None else max(begin, bisect_right(dates, self.last))
        return begin, dates[begin:end]

    def month_ends(self):
        """Return the last session of each month, or its last day where only series have values."""
        last = {month_of(day): day for day in self.axis}
        for s in self.sources:
            for day in s.dates:
                last.setdefault(month_of(day), day)
        return sorted(last.values())

    def source(self, key):
        """Return the member that a key names, or the column of a series, whose case does not matter."""
        for s in self.sources:
            if s.key == key or s.outside and s.key.upper() == key.upper():
                return s
        raise ValueError("%s is not in the universe%s" % (
            key, nearest(key, self.keys) or ", which has %s: add it there" % joined(self.keys)))

    def columns(self, keys, frequency):
        """Return the returns that keys name."""
        out = []
        for key in keys:
            s = self.source(key)
            if s.monthly and frequency == DAILY:
                raise ValueError('%s has monthly values, and daily ones are needed: use frequency="monthly" where the function has it' % s.key)
            out.append(Column(key, self.rows(frequency).columns[self.sources.index(s)].values))
        return out

    def common(self, columns, frequency):
        """Return the rows in which all columns have a return; none is an error that says when each begins and ends."""
        values = zip(*[c.values for c in columns])
        rows = [t for t, row in enumerate(values) if not any(x != x for x in row)]
        if not rows:
            keys = list(dict.fromkeys(c.name for c in columns))
            raise ValueError("%s have no %s returns in common: %s" % (joined(keys), frequency, self.spans(keys)))
        return rows

    def before(self, t):
        """Return the day before a day of the window."""
        day = self.rows(DAILY).dates[t]
        at = bisect_left(self.axis, day)
        return self.axis[at - 1] if at > 0 else day - 1

    def series(self, key):
        """Return the dates and daily returns that a key names, and the day before the first."""
        s = self.source(key)
        if s.monthly:
            raise ValueError("%s has monthly values, and daily ones are needed" % key)
        begin, dates = self.cut(s.dates)
        if not dates:
            raise ValueError("there are no returns in the window: " + self.spans([key]))
        base = s.dates[begin - 1] if begin else dates[0] - 1 if s.base is None else s.base
        return iso(base), [iso(day) for day in dates], s.returns[begin:begin + len(dates)]

    def whole(self, key):
        """Return all days and daily returns that a key names, whatever the window, and the day before the first."""
        s = self.source(key)
        if s.monthly or not s.dates:
            raise ValueError("%s has no daily returns" % key)
        return s.dates[0] - 1 if s.base is None else s.base, s.dates, s.returns

    def held_alone(self, key):
        """Return dates and daily returns of something that holds itself alone, and the day before the first."""
        if meaning(key)[0] == "model":
            raise ValueError("what the model %s holds is not in files of bars: its holdings are known in the service alone" % key)
        base, dates, returns = self.whole(key)
        return iso(base), [iso(day) for day in dates], returns

    def inside(self, date):
        """Return whether a date is in the window."""
        return (self.first is None or date >= iso(self.first)) and (self.last is None or date <= iso(self.last))

    def spans(self, keys):
        """Say when the returns that keys name begin and end."""
        texts = []
        for key in keys:
            s = self.source(key)
            texts.append("%s from %s to %s" % (key, iso(s.dates[0]), iso(s.dates[-1])) if s.dates else "%s has no returns" % key)
        return ", ".join(texts)


def joined(names):
    """Join names; of many only the first are shown."""
    if len(names) < 2:
        return names[0] if names else "nothing"
    if len(names) > MOST_NAMES:
        return "%s and %d others" % (", ".join(names[:MOST_NAMES]), len(names) - MOST_NAMES)
    return ", ".join(names[:-1]) + " and " + names[-1]
