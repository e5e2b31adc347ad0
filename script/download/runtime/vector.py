"""Vectors: immutable sequences of numbers, oldest first."""
import math
import operator
from itertools import accumulate, repeat


class Vector:
    """An immutable sequence of finite numbers, oldest first.

    Arithmetic works element by element, with numbers and with vectors of the same
    length. A result that is not finite is an error.
    """

    __slots__ = ("_values",)

    def __init__(self, values):
        """Wrap a list or tuple of floats, which must not be changed afterwards."""
        self._values = values

    def __repr__(self):
        shown = [_short(x) for x in self._values[:10]]
        if len(self._values) > 10:
            shown.append("\u2026 %d in all" % len(self._values))
        return "vector([" + ", ".join(shown) + "])"

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return Vector(self._values[at])
        if at >= len(self._values) or at < -len(self._values):
            raise IndexError("vector index %d out of range: it has %d values" % (at, len(self._values)))
        return self._values[at]

    def __contains__(self, x):
        raise TypeError("in: a vector cannot be searched; compare its elements")

    def _refuse_order(self, other):
        if isinstance(other, Vector):
            raise TypeError("vectors cannot be compared with each other; compare their elements or reductions")
        return NotImplemented

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse_order
    __hash__ = None

    def __pos__(self):
        return self

    def __neg__(self):
        return Vector([-x for x in self._values])

    def __add__(self, other):
        return _elementwise("+", operator.add, self, other)

    def __radd__(self, other):
        return _elementwise("+", operator.add, other, self)

    def __sub__(self, other):
        return _elementwise("-", operator.sub, self, other)

    def __rsub__(self, other):
        return _elementwise("-", operator.sub, other, self)

    def __mul__(self, other):
        return _elementwise("*", operator.mul, self, other)

    def __rmul__(self, other):
        return _elementwise("*", operator.mul, other, self)

    def __truediv__(self, other):
        return _elementwise("/", operator.truediv, self, other)

    def __rtruediv__(self, other):
        return _elementwise("/", operator.truediv, other, self)

    def first(self):
        """The oldest value."""
        return self._least("first", 1)[0]

    def last(self):
        """The newest value."""
        return self._least("last", 1)[-1]

    def sum(self):
        """The sum, from the first value to the last."""
        return _finite_result("sum", _plain_sum(self._values, 0.0))

    def product(self):
        """The product, from the first value to the last."""
        return _finite_result("product", _product(self._values))

    def mean(self):
        """The mean; needs one value."""
        return _finite_result("mean", _mean(self._least("mean", 1)))

    def std(self):
        """The sample standard deviation (n - 1); needs two values."""
        return _finite_result("std", _std(self._least("std", 2)))

    def min(self):
        """The smallest value."""
        return min(self._least("min", 1))

    def max(self):
        """The largest value."""
        return max(self._least("max", 1))

    def median(self):
        """The median: the middle value, or the mean of the middle two."""
        return _finite_result("median", _quantile(self._least("median", 1), 0.5))

    def abs(self):
        """The absolute values, as a vector."""
        return Vector([abs(x) for x in self._values])

    def cumulative(self):
        """The running sums, as a vector of the same length."""
        return _finite_vector("cumulative", list(accumulate(self._values)))

    def growth(self):
        """The growth of 1, the running product of 1 + x, as a vector of the same length."""
        return _finite_vector("growth", list(accumulate([1.0 + x for x in self._values], operator.mul)))

    def _least(self, method, least):
        n = len(self._values)
        if n < least:
            raise ValueError("%s: the vector has %d %s, but %d are needed; test ctx.sessions(symbol) first"
                             % (method, n, _plural(n, "value"), least))
        return self._values


def _elementwise(sign, operation, left, right):
    """Apply an operation to two vectors, or to a vector and a number."""
    a = left._values if isinstance(left, Vector) else None
    b = right._values if isinstance(right, Vector) else None
    if a is None or b is None:
        number = right if b is None else left
        if not _is_number(number):
            return NotImplemented
        if b is None:
            b = [_as_float(number)] * len(a)
        else:
            a = [_as_float(number)] * len(b)
    elif len(a) != len(b):
        raise ValueError("vectors of %d and %d values cannot be combined; take the last n of each: v[-n:]"
                         % (len(a), len(b)))
    try:
        out = list(map(operation, a, b))
    except ZeroDivisionError:
        out = [_divide(x, y) for x, y in zip(a, b)]
    return _finite_vector("vector " + sign, out)


def _finite_vector(what, values):
    """Return a vector, or raise an error if an element is not finite."""
    if not all(map(math.isfinite, values)):
        at = [math.isfinite(x) for x in values].index(False)
        raise ValueError("%s: element %d of the result is not a finite number" % (what, at))
    return Vector(values)


def _finite_result(function, x):
    """Return a number, or raise an error if it is not finite."""
    if not math.isfinite(x):
        raise ValueError("%s: the result is not a finite number" % function)
    return x


def _is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def _as_float(x):
    """Return a number as a float; an integer that is too large becomes infinite."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _divide(a, b):
    """Divide as the hardware does, without an error for division by zero."""
    if b != 0:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _plural(n, word):
    return word if n == 1 else word + "s"


def _short(x):
    """Return the shortest text that reads back as the same number: 5, 0.1, 1e+06."""
    if not math.isfinite(x):
        return "NaN" if x != x else "+Inf" if x > 0 else "-Inf"
    digits = repr(x).lstrip("-").split("e")[0].replace(".", "").strip("0")
    places = max(len(digits), 1) - 1
    text = "%.*e" % (places, x)
    exponent = int(text.split("e")[1])
    if exponent < -4 or exponent >= 6:
        return text
    return "%.*f" % (max(places - exponent, 0), x)


def _root(x):
    """Return the square root, or NaN for a negative number."""
    return math.sqrt(x) if x >= 0 else math.nan


def _plain_sum(values, start=0):
    """Add from the first value to the last, as sum did before Python 3.12."""
    total = start
    for x in values:
        total = total + x
    return total


def _dot(x, y):
    """Return the dot product, added in four lanes as the service adds on x86-64, so that the last bits agree."""
    products = list(map(operator.mul, x, y))
    whole = len(products) - len(products) % 4
    a, b, c, d = (_plain_sum(products[lane:whole:4], 0.0) for lane in range(4))
    return (_plain_sum(products[whole:], a) + c) + (b + d)


def _gross(weights):
    """Return the sum of the absolute values."""
    total = 0.0
    for w in weights:
        total += abs(w)
    return total


def _product(values):
    p = 1.0
    for x in values:
        p *= x
    return p


def _mean(values):
    return _plain_sum(values, 0.0) / len(values)


def _covariance_of(x, y):
    """Return the sample covariance, the sum of (x - mean x)(y - mean y) divided by n - 1."""
    mx, my = _mean(x), _mean(y)
    s = 0.0
    for a, b in zip(x, y):
        s += (a - mx) * (b - my)
    return s / (len(x) - 1)


def _std(values):
    """Return the sample standard deviation (n - 1)."""
    return _root(_covariance_of(values, values))


def _quantile(values, q):
    """Return the value at position q (n - 1) of the sorted values, with linear interpolation."""
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    i = int(at)
    if i == len(ordered) - 1:
        return ordered[i]
    share, step = at - i, ordered[i + 1] - ordered[i]
    # From the nearer end, so that q = 1 and equal neighbours are exact.
    if share >= 0.5:
        return ordered[i + 1] - step * (1 - share)
    return ordered[i] + step * share


def _constant(values):
    """Return whether all values are equal; the standard deviation cannot tell because of rounding."""
    return all(map(operator.eq, values, repeat(values[0])))
