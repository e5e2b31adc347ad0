"""Named series with gaps: NaN is a missing value, and all columns of a call have the same rows."""
import math
from operator import mul

FLAT = 1e-13  # the deviation, as a share of the largest value, below which a series counts as constant


class Column:
    """A name and one value per row."""

    __slots__ = ("name", "values")

    def __init__(self, name, values):
        self.name = name
        self.values = values


def complete(columns):
    """Return the rows in which all columns have a value, as new columns, and the positions of those rows."""
    kept = [t for t, row in enumerate(zip(*[c.values for c in columns])) if not any(x != x for x in row)]
    out = []
    for c in columns:
        values = [c.values[t] for t in kept]
        for t, x in zip(kept, values):
            if math.isinf(x):
                raise ValueError("%s has an infinite value in row %d" % (c.name, t))
        out.append(Column(c.name, values))
    return out, kept


def dot(a, b):
    """Return the sum of the products."""
    return sum(map(mul, a, b))


def center(x):
    """Return x less its mean and divided by its length, the mean, and that length.

    The length is 0 if the values differ only by rounding; x is then not divided.
    """
    if not x:
        return [], math.nan, 0.0
    mean = math.fsum(x) / len(x)
    around = [v - mean for v in x]
    norm = math.sqrt(dot(around, around))
    if norm <= FLAT * max(map(abs, x)) * math.sqrt(len(x)):
        return around, mean, 0.0
    return [v / norm for v in around], mean, norm
