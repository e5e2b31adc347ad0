"""The context of analyze(ctx): the members' returns, and what the script finds."""
import math

from asked import Asked, named
from dialect import print
from frame import iso
from inputs import nearest
from sheet import NAME, NAME_RULE, Sheet
from vector import Vector
from window import DAILY, MONTHLY

KINDS = ("line", "band", "bar", "area", "heatmap", "histogram", "scatter")
MOST_LABEL = 500


class Analyst:
    """The ctx of analyze."""

    def __init__(self, window, inputs):
        self.inputs = inputs
        self._window = window
        self._sheet = Sheet()

    def __getattr__(self, name):
        known = sorted([n for n in dir(Analyst) if not n.startswith("_")] + ["inputs"])
        raise AttributeError("the context has no %s%s; it has %s" % (name, nearest(name, known), ", ".join(known)))

    def _panel(self, function, keys, frequency, least=1):
        asked = Asked(function)
        keys = asked.keys("keys", keys, least)
        columns = self._window.columns(keys, asked.choice("frequency", frequency, (DAILY, MONTHLY)))
        return keys, columns, self._window.common(columns, frequency)

    @named
    def series(self, key, frequency="daily"):
        """The returns of a member, oldest first."""
        _, columns, rows = self._panel("series", [Asked("series").key("key", key)], frequency)
        return Vector([columns[0].values[t] for t in rows])

    @named
    def panel(self, keys, frequency="daily"):
        """A dictionary from members to their returns, over the days or months in which all of them have one."""
        keys, columns, rows = self._panel("panel", keys, frequency)
        return {key: Vector([c.values[t] for t in rows]) for key, c in zip(keys, columns)}

    @named
    def dates(self, keys, frequency="daily"):
        """The dates of the rows of panel(keys, frequency)."""
        _, _, rows = self._panel("dates", keys, frequency)
        return [iso(self._window.rows(frequency).dates[t]) for t in rows]

    @named
    def factors(self, name):
        """The returns of the columns of a series that the analysis reads, over the days or months in which all have one."""
        Asked("factors").key("name", name)
        of = [s for s in self._window.sources if s.outside and s.key.partition(".")[0].upper() == name.upper()]
        if not of:
            raise ValueError("the analysis reads no column of a series %s: name its columns in the input series, such as %s.SMB" % (name, name))
        return self.panel([s.key for s in of], MONTHLY if any(s.monthly for s in of) else DAILY)

    @named
    def weights(self, key):
        """What a member holds at each close: an asset holds itself alone."""
        return self._held("weights", key)

    @named
    def contributions(self, key):
        """What each holding of a member has contributed to each return."""
        return self._held("contributions", key)

    @named
    def ledger(self, key):
        """The trades of a model, which are not in files of bars."""
        self._window.held_alone(Asked("ledger").key("key", key))
        raise ValueError("%s is no model: only models have trades" % key)

    def _held(self, what, key):
        base, dates, returns = self._window.held_alone(Asked(what).key("key", key))
        values = [1.0] * (len(dates) + 1) if what == "weights" else [0.0] + returns
        rows = [(date, v) for date, v in zip([base] + dates, values) if self._window.inside(date)]
        return {"date": [date for date, _ in rows], key: Vector([v for _, v in rows])}

    def table(self, name, columns):
        """Write a table of the result: lists or vectors of the same length, by name."""
        asked = Asked("table")
        self._named(asked, "name", name)
        if not isinstance(columns, dict) or not columns:
            asked.refuse("columns", "is %s" % type(columns).__name__, 'a dictionary of columns by name, such as {"date": [...], "value": [...]}')
        found = {}
        for column, values in columns.items():
            self._named(asked, "column", column)
            found[column] = read_column(column, values)
            first = next(iter(found))
            if len(found[column]) != len(found[first]):
                raise ValueError("table: column %s has %d values, and column %s has %d: they must have the same number"
                                 % (column, len(found[column]), first, len(found[first])))
        self._sheet.table(name, found)

    def scalar(self, name, value, unit=None, title=None):
        """Write a single number of the result."""
        asked = Asked("scalar")
        self._named(asked, "name", name)
        self._sheet.scalar(name, number_of("scalar: value", value), self._label(asked, "unit", unit), self._label(asked, "title", title))

    def figure(self, name, kind, table, x, y, title=None):
        """Draw columns of a table that the script has written."""
        asked = Asked("figure")
        self._named(asked, "name", name)
        asked.choice("kind", kind, KINDS)
        columns = list(self._sheet.tables[asked.choice("table", table, list(self._sheet.tables))])
        asked.choice("x", x, columns)
        y = [asked.choice("y", column, columns) for column in asked.keys("y", y, 0)]
        if name in [f["name"] for f in self._sheet.figures]:
            raise ValueError("figure: there is a figure %s already: give this one another name" % name)
        self._sheet.figure(name, self._label(asked, "title", title), kind, table, x, y)

    def log(self, text):
        """Write a line to the run's log."""
        print(text)

    def _named(self, asked, what, name):
        if not isinstance(name, str) or not NAME.match(name):
            asked.refuse(what, "is %s" % (name,), NAME_RULE)

    def _label(self, asked, what, text):
        if text is None:
            return ""
        if not isinstance(text, str) or len(text.encode()) > MOST_LABEL:
            asked.refuse(what, "is %s" % type(text).__name__, "a string of up to %d bytes" % MOST_LABEL)
        return text


def read_column(name, values):
    """Read a list or vector of numbers or of texts."""
    if not isinstance(values, (list, tuple, Vector)):
        raise ValueError("table: column %s is a %s; it must be a list or a vector" % (name, type(values).__name__))
    values = list(values)
    if values and isinstance(values[0], str):
        for k, text in enumerate(values):
            if not isinstance(text, str):
                raise ValueError("table: column %s has element %d, which is %s, among strings" % (name, k, text))
        return values
    return [number_of("table: column %s: element %d" % (name, k), x) for k, x in enumerate(values)]


def number_of(what, x):
    """Read a finite number, True, False, or None as NaN."""
    if x is None:
        return math.nan
    if not isinstance(x, (bool, int, float)) or not math.isfinite(x):
        raise ValueError("%s is %s; it must be a finite number, True, False or None" % (what, x))
    return float(x)
