"""The dialect: the functions that behave differently in scripts and in Python."""
import builtins
import sys

DAY = [""]  # the date of the current decision, which starts the lines of the log
SILENT = [False]  # whether lines of the log are dropped


def print(*values, sep=" "):
    """Write a line of the run's log to standard error."""
    if SILENT[0]:
        return
    for line in sep.join(map(str, values)).split("\n"):
        sys.stderr.write("log: " + (DAY[0] + " " + line).strip() + "\n")


def sum(iterable, start=0):
    """Add the elements to start, from first to last. Python 3.12 and later add floats with compensation."""
    total = start
    for x in iterable:
        if isinstance(x, str):
            raise TypeError('sum: strings are joined with "".join(list)')
        total = total + x
    return total


def round(number, ndigits=None):
    """Round halves to even: to an integer, or to ndigits decimals."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise TypeError("round: got %s, want a number" % type(number).__name__)
    if ndigits is not None and (isinstance(ndigits, bool) or not isinstance(ndigits, int) or not 0 <= ndigits <= 300):
        raise ValueError("round: ndigits is %s; it must be an integer from 0 to 300" % ndigits)
    return builtins.round(number, ndigits)


def pow(base, exp):
    """base to the power of exp: an integer for integers with exp of at least 0, else a finite float."""
    for x in (base, exp):
        if isinstance(x, bool) or not isinstance(x, (int, float)):
            raise TypeError("pow: got %s, want numbers" % type(x).__name__)
    if isinstance(base, int) and isinstance(exp, int) and exp >= 0:
        return base ** exp
    try:
        result = float(base) ** float(exp)
    except (OverflowError, ZeroDivisionError):
        result = float("nan")
    if isinstance(result, complex) or result - result != 0:
        raise ValueError("pow: %s to the power of %s is not a finite number" % (base, exp))
    return result


def enumerate(iterable, start=0):
    """Return the list of (position, element)."""
    return list(builtins.enumerate(iterable, start))


def reversed(sequence):
    """Return the list of the elements, from last to first."""
    return list(sequence)[::-1]


def zip(*iterables):
    """Return the list of tuples of elements at the same position, as long as the shortest argument."""
    return list(builtins.zip(*iterables))


class set:
    """A set that keeps the order in which its elements were added.

    Python's own order of strings differs from run to run.
    """

    __slots__ = ("_elements",)
    __hash__ = None

    def __init__(self, iterable=()):
        self._elements = dict.fromkeys(iterable)

    def __iter__(self):
        return iter(self._elements)

    def __len__(self):
        return len(self._elements)

    def __contains__(self, x):
        return x in self._elements

    def __repr__(self):
        return "set([" + ", ".join(map(repr, self)) + "])"

    def __eq__(self, other):
        if not isinstance(other, set):
            return NotImplemented
        return self._elements.keys() == other._elements.keys()

    def __le__(self, other):
        return self.issubset(other)

    def __ge__(self, other):
        return self.issuperset(other)

    def __lt__(self, other):
        return len(self) < len(other) and self.issubset(other)

    def __gt__(self, other):
        return len(self) > len(other) and self.issuperset(other)

    def __or__(self, other):
        return self.union(other)

    def __and__(self, other):
        return self.intersection(other)

    def __sub__(self, other):
        return self.difference(other)

    def __xor__(self, other):
        return self.symmetric_difference(other)

    def add(self, x):
        self._elements[x] = None

    def clear(self):
        self._elements.clear()

    def discard(self, x):
        self._elements.pop(x, None)

    def pop(self):
        """Remove and return the first element."""
        if not self._elements:
            raise KeyError("pop: empty set")
        first = next(iter(self._elements))
        del self._elements[first]
        return first

    def remove(self, x):
        del self._elements[x]

    def update(self, *others):
        for other in others:
            self._elements.update(dict.fromkeys(other))

    def union(self, *others):
        result = set(self)
        result.update(*others)
        return result

    def intersection(self, other):
        return set([x for x in other if x in self._elements])

    def difference(self, other):
        left_out = dict.fromkeys(other)
        return set([x for x in self if x not in left_out])

    def symmetric_difference(self, other):
        return self.difference(other).union(set(other).difference(self))

    def issubset(self, other):
        others = dict.fromkeys(other)
        return all(x in others for x in self)

    def issuperset(self, other):
        return all(x in self._elements for x in other)
