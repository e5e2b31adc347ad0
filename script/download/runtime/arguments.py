"""Arguments: how the functions of the harness read their arguments."""
import math

from vector import Vector, _as_float, _is_number, _plural, _short


def _refuse(function, text, *parts):
    """Raise an error that starts with the function's name."""
    raise ValueError(function + ": " + text % parts)


def _type_name(x):
    if isinstance(x, str):
        return "string"
    return type(x).__name__ if isinstance(x, (bool, int, float, list, tuple, dict)) else type(x).__name__.lower()


def _finite(function, what, x, other=""):
    """Read a finite number; other says what else is accepted."""
    if not _is_number(x):
        _refuse(function, "%s is a %s; a number is needed%s", what, _type_name(x), other)
    f = _as_float(x)
    if not math.isfinite(f):
        _refuse(function, "%s is %s; a finite number is needed", what, _short(f))
    return f


def _integer(function, what, x, least=None):
    """Read an integer of at least least."""
    if not isinstance(x, int) or isinstance(x, bool) or abs(x) >= 2**31:
        shown = x if x is None or isinstance(x, (int, float)) else "a " + _type_name(x)
        _refuse(function, "%s is %s; an integer is needed", what, shown)
    if least is not None and x < least:
        _refuse(function, "%s is %d; it must be %s", what, x, "at least 0" if least == 0 else "an integer of at least %d" % least)
    return x


def _length(function, n, standard=None, least=1):
    """Read a number of sessions; None means standard."""
    if n is None and standard is not None:
        return standard
    if not isinstance(n, int) or isinstance(n, bool) or not least <= n < 2**31:
        _refuse(function, "n is %s; it must be an integer of at least %d", n, least)
    return n


def _floats(function, what, values, least):
    """Read a vector or a list of numbers, as a list of floats."""
    if isinstance(values, Vector):
        values = values._values
    elif isinstance(values, (list, tuple)):
        values = [_finite(function, "%s: element %d" % (what, i), x) for i, x in enumerate(values)]
    else:
        _refuse(function, "%s: is a %s; a vector or a list of numbers is needed", what, _type_name(values))
    if len(values) < least:
        _refuse(function, "%s has %d %s, but %d are needed; test ctx.sessions(symbol) first",
                what, len(values), _plural(len(values), "value"), least)
    return values


def _window(function, values, n, least=1):
    """Read (values, n=None): the last n values, or all without n; at least least."""
    length = _length(function, n, 0)
    values = _floats(function, "values", values, max(length, least))
    if length == 0:
        return values
    if length < least:
        _refuse(function, "n is %d; it must be an integer of at least %d", length, least)
    return values[-length:]


def _numbers(function, what, values):
    """Read a dictionary from symbols to numbers, in order."""
    if not isinstance(values, dict):
        _refuse(function, "%s is a %s; a dictionary by symbol is needed", what, _type_name(values))
    return {_symbol(function, what, s): _finite(function, "%s: %s" % (what, s), x) for s, x in values.items()}


def _symbol(function, what, key):
    if not isinstance(key, str):
        _refuse(function, "%s has the key %s, which is not a symbol", what, key)
    return key


def _pair(function, first, second, a, b):
    """Read two vectors of the same length, of at least two values each."""
    x, y = _floats(function, first, a, 2), _floats(function, second, b, 2)
    if len(x) != len(y):
        _refuse(function, "%s has %d values and %s %d; take the last n of each: v[-n:]",
                first, len(x), second, len(y))
    return x, y


def _panel(function, what, columns):
    """Read a dictionary from symbols to vectors of the same length, of at least two values each."""
    if not isinstance(columns, dict):
        _refuse(function, "%s is a %s; a dictionary from symbols to vectors is needed, such as ctx.panel(symbols, n)",
                what, _type_name(columns))
    panel = {}
    first = None
    for s, column in columns.items():
        panel[s] = column = _floats(function, _symbol(function, what, s), column, 2)
        if first is None:
            first = s
        elif len(column) != len(panel[first]):
            _refuse(function, "%s has %d values and %s %d; take them with ctx.panel(symbols, n)",
                    first, len(panel[first]), s, len(column))
    return panel


def _finite_weights(function, weights):
    """Return weights, or raise an error if one is not finite."""
    for s, w in weights.items():
        if not math.isfinite(w):
            _refuse(function, "the result for %s is not a finite number", s)
    return weights
