"""Matrices: covariances and correlations, labelled by symbols."""
import math

from arguments import _numbers, _pair, _panel, _refuse
from vector import (_as_float, _constant, _covariance_of, _divide, _dot, _finite_result, _is_number, _mean,
                    _plain_sum)


class _Row(dict):
    """A dictionary that cannot be changed."""

    __slots__ = ()

    def _refuse_change(self, *args, **kwargs):
        raise TypeError("a matrix cannot be changed; dict(m[symbol]) is a copy of a row")

    __setitem__ = __delitem__ = __ior__ = _refuse_change
    clear = pop = popitem = setdefault = update = _refuse_change


class Matrix:
    """An immutable square matrix of numbers labelled by symbols: m["SPY"]["AGG"].

    It works as a dictionary of dictionaries and supports + and - with a matrix of
    the same symbols and + - * / with a number, element by element.
    """

    __slots__ = ("_members",)

    def __init__(self, symbols, rows):
        """Label rows, a list of lists of floats, with symbols."""
        self._members = {s: _Row(zip(symbols, row)) for s, row in zip(symbols, rows)}

    def __repr__(self):
        return repr(self._members) if len(self._members) <= 10 else "matrix of %d symbols" % len(self._members)

    def __len__(self):
        return len(self._members)

    def __iter__(self):
        return iter(self._members)

    def __contains__(self, symbol):
        return symbol in self._members

    def __getitem__(self, symbol):
        if symbol not in self._members:
            raise KeyError("the matrix has no %s" % symbol)
        return self._members[symbol]

    def keys(self):
        """The list of the symbols, in order."""
        return list(self._members)

    def values(self):
        """The list of the rows, in order."""
        return list(self._members.values())

    def items(self):
        """The list of the symbols with their rows, in order."""
        return list(self._members.items())

    @property
    def symbols(self):
        """The list of the symbols, in order."""
        return list(self._members)

    def _rows(self):
        return [list(row.values()) for row in self._members.values()]

    def diagonal(self):
        """A dictionary from symbols to the elements on the diagonal."""
        return {s: row[s] for s, row in self._members.items()}

    def times(self, weights):
        """A dictionary from each symbol i to the sum of m[i][j] * weights[j]; missing weights are 0."""
        held = _numbers("times", "weights", weights)
        for s in held:
            if s not in self._members:
                _refuse("times", "the matrix has no %s", s)
        w = [held.get(s, 0.0) for s in self._members]
        return {s: _finite_result("times", x) for s, x in zip(self._members, _multiply(self._rows(), w))}

    def _refuse_order(self, other):
        if isinstance(other, Matrix):
            raise TypeError("matrices cannot be compared with each other; compare their elements")
        return NotImplemented

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse_order
    __hash__ = None

    def __pos__(self):
        return self

    def __neg__(self):
        return Matrix(self.symbols, [[-x for x in row] for row in self._rows()])

    def __add__(self, other):
        return self._with("+", other, lambda x, y: x + y)

    def __radd__(self, other):
        return self._with("+", other, lambda x, y: y + x)

    def __sub__(self, other):
        return self._with("-", other, lambda x, y: x - y)

    def __rsub__(self, other):
        return self._with("-", other, lambda x, y: y - x)

    def __mul__(self, other):
        return self._with("*", other, lambda x, y: x * y)

    def __rmul__(self, other):
        return self._with("*", other, lambda x, y: y * x)

    def __truediv__(self, other):
        return self._with("/", other, _divide)

    def __rtruediv__(self, other):
        return self._with("/", other, lambda x, y: _divide(y, x))

    def _with(self, sign, other, f):
        """Apply f to each element and a number, or to the elements of two matrices."""
        if _is_number(other):
            y = _as_float(other)
            rows = [[f(x, y) for x in row] for row in self._rows()]
        elif isinstance(other, Matrix) and sign in "+-":
            if self.symbols != other.symbols:
                raise ValueError("matrices must have the same symbols in the same order")
            rows = [[f(x, y) for x, y in zip(a, b)] for a, b in zip(self._rows(), other._rows())]
        else:
            return NotImplemented
        return _finite_matrix("matrix " + sign, self.symbols, rows)


def _finite_matrix(what, symbols, rows):
    """Return a matrix, or raise an error if an element is not finite."""
    for s, row in zip(symbols, rows):
        for t, x in zip(symbols, row):
            if not math.isfinite(x):
                raise ValueError("%s: the element of %s and %s is not a finite number" % (what, s, t))
    return Matrix(symbols, rows)


def _multiply(rows, w):
    """Return the matrix times a vector."""
    return [_dot(row, w) for row in rows]


def _quadratic(w, rows):
    """Return w'Mw."""
    return _dot(w, _multiply(rows, w))


def _centred(columns):
    """Return the columns minus their means; constant columns are exactly 0, even if their mean is rounded."""
    out = []
    for column in columns:
        if _constant(column):
            out.append([0.0] * len(column))
            continue
        level = _mean(column)
        out.append([x - level for x in column])
    return out


def _covariance_rows(columns):
    """Return the sample covariances of all pairs of columns."""
    return _products(_centred(columns), -1)


def _products(centred, less):
    """Return the dot products of all pairs of centred columns, divided by their length plus less."""
    n = len(centred)
    rows = [[0.0] * n for _ in range(n)]
    for i, x in enumerate(centred):
        for j, y in enumerate(centred[:i + 1]):
            rows[i][j] = rows[j][i] = _dot(x, y) / (len(x) + less)
    return rows


def _correlation_rows(columns):
    """Return Pearson's correlations of all pairs of columns; constant columns have 0 with all."""
    rows = _covariance_rows(columns)
    variances = [rows[i][i] for i in range(len(rows))]
    still = [_constant(column) for column in columns]
    for i in range(len(rows)):
        for j in range(i + 1):
            r = 0.0
            if not still[i] and not still[j]:
                r = 1.0 if i == j else _pearson(rows[i][j], variances[i], variances[j])
            rows[i][j] = rows[j][i] = r
    return rows


def _correlation_of(x, y):
    """Return Pearson's correlation, or 0 if either is constant."""
    if _constant(x) or _constant(y):
        return 0.0
    return _pearson(_covariance_of(x, y), _covariance_of(x, x), _covariance_of(y, y))


def _pearson(xy, xx, yy):
    r = _divide(xy, math.sqrt(xx) * math.sqrt(yy))
    return max(-1.0, min(1.0, r)) if r == r else r


def _level(rows):
    """The mean of the diagonal."""
    s = 0.0
    for i, row in enumerate(rows):
        s += row[i]
    return s / len(rows)


def _shrunk(columns, shrinkage):
    """(1 - d) S + d m I, where m is the mean of the diagonal of the covariances S."""
    if shrinkage == "ledoit_wolf":
        shrinkage = _ledoit_wolf(columns)
    elif not _is_number(shrinkage) or not 0 <= shrinkage <= 1:
        shown = '"%s"' % shrinkage if isinstance(shrinkage, str) else shrinkage
        _refuse("covariance", 'shrinkage is %s; it must be a number from 0 to 1, or "ledoit_wolf"', shown)
    rows = _covariance_rows(columns)
    if shrinkage == 0 or not rows:
        return rows
    level = _level(rows)
    rows = [[x * (1 - shrinkage) for x in row] for row in rows]
    for i, row in enumerate(rows):
        row[i] += shrinkage * level
    return rows


def _ledoit_wolf(columns):
    """Return the shrinkage estimated by the method of Ledoit and Wolf (2004)."""
    if not columns:
        return 0.0
    bars = len(columns[0])
    centred = _centred(columns)
    rows = _products(centred, 0)  # the estimate divides by T, not by T - 1
    size = _square(rows)
    level = _level(rows)
    for i, row in enumerate(rows):
        row[i] -= level
    distance = _square(rows)
    if distance == 0:
        return 0.0
    squares = [_plain_sum([x * x for x in bar], 0.0) for bar in zip(*centred)]
    fourth = _dot(squares, squares)
    return _divide(_least(distance, fourth / (bars * bars) - size / bars), distance)


def _square(rows):
    """Return the sum of the squares of all elements."""
    flat = [x for row in rows for x in row]
    return _dot(flat, flat)


def _least(distance, error):
    """Return the error, limited to the range from 0 to the distance, or NaN if it is NaN."""
    return max(0.0, min(distance, error)) if error == error else error


def correlation(x, y=None):
    """Pearson's correlation, from -1 to 1, or 0 if either is constant; for a panel the matrix of all pairs."""
    if y is None:
        panel = _panel("correlation", "x", x)
        return _finite_matrix("correlation", list(panel), _correlation_rows(list(panel.values())))
    a, b = _pair("correlation", "x", "y", x, y)
    return _finite_result("correlation", _correlation_of(a, b))


def covariance(x, y=None, shrinkage=0.0):
    """The sample covariance per bar; for a panel the matrix of all pairs, shrunk towards a multiple of the identity."""
    name = "covariance"
    if isinstance(x, dict) and y is not None:  # covariance(panel, 0.2)
        if shrinkage != 0:
            _refuse(name, "got a panel and y: write covariance(panel, shrinkage=0.1) or covariance(x, y)")
        y, shrinkage = None, y
    if y is None:
        panel = _panel(name, "x", x)
        return _finite_matrix(name, list(panel), _shrunk(list(panel.values()), shrinkage))
    if shrinkage != 0:
        _refuse(name, "shrinkage applies only to the matrix of a panel, not to two vectors")
    a, b = _pair(name, "x", "y", x, y)
    return _finite_result(name, _covariance_of(a, b))


def _risk(function, panel):
    """Read a panel of returns or a covariance matrix, and return symbols and rows of the covariance matrix."""
    if isinstance(panel, Matrix):
        return panel.symbols, panel._rows()
    panel = _panel(function, "panel", panel)
    matrix = _finite_matrix(function, list(panel), _covariance_rows(list(panel.values())))
    return matrix.symbols, matrix._rows()


def _moving_risk(function, panel):
    """Like _risk, but raise an error for a member without variance."""
    symbols, rows = _risk(function, panel)
    for i, s in enumerate(symbols):
        if not rows[i][i] > 0:
            _refuse(function, "the variance of %s is not above 0, so its risk is unknown; leave it out", s)
    return symbols, rows
