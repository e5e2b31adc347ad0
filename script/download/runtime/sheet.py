"""What an analysis has found so far: tables, scalars and figures."""
import math
import re

from answer import figure, table

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}\Z")
NAME_RULE = "a letter, then up to 63 letters, digits, _, . and -"
MOST_ROWS = 2000000  # of all tables


class Sheet:
    """Tables, scalars and figures in the order in which they were written."""

    def __init__(self):
        self.tables, self.scalars, self.figures, self.calls = {}, {}, [], {}

    def table(self, name, columns):
        """Add a table; rows are added to one of the same name, which must have the same columns."""
        rows = sum(len(next(iter(t.values()))) for t in self.tables.values()) + len(next(iter(columns.values())))
        if rows > MOST_ROWS:
            raise ValueError("with the table %s there would be %d rows, and an analysis writes up to %d: choose fewer members or a shorter window"
                             % (name, rows, MOST_ROWS))
        stored = self.tables.setdefault(name, {column: [] for column in columns})
        if list(stored) != list(columns):
            raise ValueError("there is a table %s with other columns already: give this one another name" % name)
        for column, values in columns.items():
            stored[column] += values

    def scalar(self, name, value, unit="", title=""):
        """Add a number."""
        if name in self.scalars:
            raise ValueError("there is a scalar %s already: give this one another name" % name)
        self.scalars[name] = {"value": float(value) if math.isfinite(value) else None, "unit": unit, "title": title}

    def figure(self, name, title, kind, of, x, y, x_unit="", y_unit=""):
        """Add a figure; one of the name of an earlier one draws the same table, so it is left out."""
        if name not in [f["name"] for f in self.figures]:
            self.figures.append(figure((name, title, kind, of, x, y, x_unit, y_unit)))

    def suffix(self, function):
        """Return what the names of a function's scalars end with: nothing, then _2, _3."""
        self.calls[function] = self.calls.get(function, 0) + 1
        return "" if self.calls[function] == 1 else "_%d" % self.calls[function]

    def shown(self, name):
        """Return a table as the script sees it."""
        return {column: list(values) for column, values in table(self.tables[name])["columns"].items()}

    def answer(self):
        """Return everything, as it is printed in JSON."""
        return {"scalars": self.scalars, "tables": {name: table(columns) for name, columns in self.tables.items()}, "figures": self.figures}
