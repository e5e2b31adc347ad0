"""The arguments of the functions of analyses, and their errors."""
import functools
import math

from inputs import is_number, nearest

MOST_KEYS = 500
A_MEMBER = 'the symbol of a member, such as "SPY"'


def named(function):
    """Begin the errors of a function with its name."""
    start = function.__name__ + ": "

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except ValueError as e:
            text = str(e)
            raise ValueError(text if text.startswith(start) else start + text) from None

    return wrapper


class Asked:
    """Reads the arguments of one function. An error names the function and the argument, and says what is accepted."""

    def __init__(self, function):
        self.function = function

    def refuse(self, name, said, accepted, suggestion=""):
        """Raise an error about an argument."""
        raise ValueError("%s: %s %s; accepted: %s%s" % (self.function, name, said, accepted, suggestion))

    def key(self, name, value):
        """Read the symbol of a member."""
        if not isinstance(value, str) or not value:
            self.refuse(name, "is " + shown(value), A_MEMBER)
        return value

    def keys(self, name, value, least=1):
        """Read a list of different members; one symbol is a list of one."""
        accepted = 'an array of symbols of members, such as ["SPY", "TLT"]'
        if isinstance(value, str) and value and least <= 1:
            return [value]
        if not isinstance(value, (list, tuple, dict)) and type(value).__name__ != "set":
            self.refuse(name, "is " + shown(value), accepted)
        keys = []
        for key in value:
            if not isinstance(key, str) or not key:
                self.refuse(name, "contains " + shown(key), accepted)
            if key in keys:
                self.refuse(name, "names %s twice" % key, "each member once")
            keys.append(key)
        if len(keys) > MOST_KEYS:
            self.refuse(name, "names more than %d members" % MOST_KEYS, "up to %d members" % MOST_KEYS)
        if len(keys) < least:
            self.refuse(name, "names %d members" % len(keys), "at least %d different members" % least)
        return keys

    def choice(self, name, value, accepted):
        """Read one of a few words."""
        if not isinstance(value, str) or value not in accepted:
            self.refuse(name, "is " + shown(value), ", ".join(accepted), nearest(value, accepted) if isinstance(value, str) else "")
        return value

    def number(self, name, value, low, high, such):
        """Read a number above low and below high."""
        if not is_number(value) or not low < value < high:
            self.refuse(name, "is " + shown(value), "a number above %s and below %s, such as %s" % (low, high, such))
        return float(value)

    def integer(self, name, value, low, high):
        """Read a whole number from low to high."""
        if not is_number(value) or not math.isfinite(value) or value != int(value) or not low <= value <= high:
            self.refuse(name, "is " + shown(value), "an integer from %d to %d" % (low, high))
        return int(value)


def shown(value):
    """Return a value as a message shows it."""
    if value is None:
        return "missing"
    if isinstance(value, str):
        return '"%s"' % value if len(value) <= 60 else "a long string"
    if isinstance(value, (bool, int, float)):
        return str(value)
    return {"list": "a list", "dict": "a dictionary"}.get(type(value).__name__, "a " + type(value).__name__.lower())
