"""Series from outside, such as factors and rates, and the sessions at which their values become known."""
import csv
import math
import os
import re
from bisect import bisect_left, bisect_right
from datetime import date

from bars import open_text
from exchange import FIRST, planned_sessions
from frame import iso, tail
from inputs import UsageError, listed, nearest, parse_date
from service import Service

SERIES = {}  # frequency, lag and kind by name in upper case, as the service knew them
KINDS = ("return", "rate", "index")
REFERENCE = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,39})\.([A-Za-z0-9][A-Za-z0-9_.-]{0,63})\Z")
DATE = re.compile(r"(\d{4})-?(\d\d)(?:-?(\d\d))?\Z")
MISSING = ("", ".", "na", "n/a", "nan", "null", "none", "-")
MOST_LAG = 260
LATER = 3 * 366  # days in which there are more sessions than a lag has


class Column:
    """The values of one column in order of date, and the day on which each is known."""

    def __init__(self, dates, values, monthly, lag, kind):
        self.dates = dates
        self.values = values
        self.monthly = monthly
        self.kind = kind
        sessions = planned_sessions(dates[0], max(dates[-1], FIRST) + LATER) if dates else []
        after = bisect_right if monthly else bisect_left  # a month is dated on its last day and known after it
        places = [after(sessions, day) + lag for day in dates]
        self.known = [sessions[p] for p in places if p < len(sessions)]


class Outside:
    """The series of a run: those of files and, with a service, its own."""

    def __init__(self, options):
        lags = dict(lag_of(text) for text in options.lag)
        kinds = dict(kind_of(text) for text in options.kind)
        self._series = {}
        self._columns = {}
        self._service = Service(options.url, options.key) if options.url else None
        for text in options.series:
            name, table = read_file(text)
            monthly, lag, kind = SERIES.get(name, (is_monthly(table), 0, KINDS[0]))
            self._series[name] = (table, monthly, lags.pop(name, lag), kinds.pop(name, kind))
        for flag, left in (("--lag", lags), ("--kind", kinds)):
            for name in left:
                raise UsageError("%s %s: there is no --series of this name%s" % (flag, name, nearest(name, self._series)))

    def past(self, reference, day, n):
        """Return the dates and values of the last n values of a column that are known on a day; None means all."""
        c = self._column(reference)
        known = bisect_right(c.known, day)
        return [iso(d) for d in tail(c.dates, known, n)], tail(c.values, known, n)

    def whole(self, reference):
        """Return a column with all of its values."""
        return self._column(reference)

    def earned(self, reference, last):
        """Return the dates and returns of a column up to a day: a rate's of the day after or of its month, an index's changes.

        A month that has begun by then counts, because its last session is not always its last day.
        """
        c = self._column(reference)
        n = bisect_right(c.dates, month_end(last) if c.monthly else last)
        dates, values = c.dates[:n], c.values[:n]
        if c.kind == "rate" and c.monthly:
            return dates, [math.pow(1 + v, 1 / 12) - 1 for v in values]
        if c.kind == "rate":
            return dates[1:], [math.pow(1 + v, 1 / 252) - 1 for v in values[:-1]]
        if c.kind == "index":
            return dates[1:], [b / a - 1 for a, b in zip(values, values[1:])]
        return dates, values

    def _column(self, reference):
        found = REFERENCE.match(reference) if isinstance(reference, str) else None
        if not found:
            raise ValueError("%r does not name a column of a series, which is NAME.KEY, such as FF5.SMB" % (reference,))
        name, key = found.group(1).upper(), found.group(2).upper()
        if (name, key) not in self._columns:
            self._columns[name, key] = self._read(name, key)
        return self._columns[name, key]

    def _read(self, name, key):
        if name not in self._series and self._service:
            self._series[name] = fetched(self._service, name)
        if name not in self._series:
            raise UsageError("the script reads the series %s: give its file with --series %s=FILE" % (name, name))
        table, monthly, lag, kind = self._series[name]
        if key not in table:
            raise UsageError("the series %s has no column %s%s; it has %s" % (name, key, nearest(key, table), listed(sorted(table))))
        rows = sorted((month_end(day), v) if monthly else (day, v) for day, v in table[key])
        for (day, _), (following, _) in zip(rows, rows[1:]):
            if day == following:
                raise UsageError("the series %s has two values for %s" % (name, iso(day)))
        return Column([day for day, _ in rows], [v for _, v in rows], monthly, lag, kind)


def add_series(add):
    """Add the options of series."""
    add("--series", metavar="NAME=FILE", action="append", default=[], help="file of a series from outside that the script reads")
    add("--lag", metavar="NAME=SESSIONS", action="append", default=[], help="publication lag of a series; default: the service's")
    add("--kind", metavar="NAME=KIND", action="append", default=[], help="what a series has: return, rate or index; default: the service's, or return")


def kind_of(text):
    """Read NAME=KIND."""
    name, _, kind = text.partition("=")
    if not name or kind not in KINDS:
        raise UsageError("--kind %s: write it as NAME=KIND, with one of %s" % (text, ", ".join(KINDS)))
    return name.upper(), kind


def lag_of(text):
    """Read NAME=SESSIONS."""
    name, sign, number = text.partition("=")
    if not name or not number.isdigit() or int(number) > MOST_LAG:
        raise UsageError("--lag %s: write it as NAME=SESSIONS, from 0 to %d" % (text, MOST_LAG))
    return name.upper(), int(number)


def read_file(text):
    """Read NAME=FILE, or a file that is called as the series. Return the name, and the days and values by key."""
    name, sign, path = text.partition("=")
    if not sign:
        name, path = os.path.basename(text).split(".")[0], text
    label = os.path.basename(path)
    lines = csv.reader(open_text(path))
    header = next(lines, [])
    if len(header) < 2 or header[0].strip().lower() not in ("", "date", "observation_date"):
        raise UsageError("%s: the first line of a series is date and the keys of its columns" % label)
    keys = [re.sub("[^A-Za-z0-9.-]+", "_", cell.strip()).strip("_").upper() for cell in header[1:]]
    table = {key: [] for key in keys}
    for cells in lines:
        if not cells:
            continue
        if len(cells) != len(header):
            raise UsageError("%s, line %d: it has %d cells, and the first line has %d" % (label, lines.line_num, len(cells), len(header)))
        day = day_of(cells[0].strip())
        if day is None:
            raise UsageError('%s, line %d: "%s" is not a date written YYYY-MM-DD or YYYY-MM' % (label, lines.line_num, cells[0]))
        for key, cell in zip(keys, cells[1:]):
            if cell.strip().lower() in MISSING:
                continue
            table[key].append((day, number(cell, label, lines.line_num)))
    return name.upper(), table


def number(cell, label, line):
    try:
        x = float(cell)
        if math.isfinite(x):
            return x
    except ValueError:
        pass
    raise UsageError('%s, line %d: "%s" is not a finite number' % (label, line, cell))


def day_of(text):
    """Return the day of a date, or the last day of a month; None if it is neither."""
    found = DATE.match(text)
    try:
        year, month, day = found.groups()
        if day is None:
            return month_end(date(int(year), int(month), 1).toordinal())
        return date(int(year), int(month), int(day)).toordinal()
    except (AttributeError, ValueError):
        return None


def month_end(day):
    """Return the last day of the month that contains a day."""
    when = date.fromordinal(day)
    return date(when.year + when.month // 12, when.month % 12 + 1, 1).toordinal() - 1


def is_monthly(table):
    """Return whether the dates are one per month, on its first or its last day."""
    days = {day for rows in table.values() for day, _ in rows}
    ends = [day for day in days if day == month_end(day) or date.fromordinal(day).day == 1]
    return len(days) > 0 and len(ends) == len(days) == len({month_end(day) for day in days})


def fetched(service, name):
    """Return a series of the service."""
    found = service.get("series", name)
    if found is None:
        raise UsageError("the script reads the series %s, which the service does not have" % name)
    days = [parse_date(text) for text in found["columns"].pop("date")]
    table = {key.upper(): [(day, v) for day, v in zip(days, values) if v is not None] for key, values in found["columns"].items()}
    return table, found["frequency"] == "monthly", found["lag"], found["kind"]
