"""The constants of a script, and the inputs of a run."""
import difflib
import math
import re
from datetime import date

PERIODS = ("daily", "weekly", "monthly", "quarterly", "yearly")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MOST_CHARACTERS, MOST_ELEMENTS = 1000, 2000
MODEL_INPUTS = {  # those that every model has
    "start_date": {"type": "string", "format": "date", "default": None},
    "initial_cash": {"type": "number", "default": 10000.0, "minimum": 1000},
}


class UsageError(Exception):
    """The command's arguments, inputs or files are invalid."""


def nearest(word, known):
    """Return '; did you mean X?' if something known is close to word, else ''."""
    folded = {str(k).upper(): str(k) for k in known}
    found = difflib.get_close_matches(str(word).upper(), list(folded), 1, 0.6)
    return "; did you mean %s?" % folded[found[0]] if found else ""


def listed(names, most=30):
    """Join at most most names with commas."""
    names = list(names)
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def parse_date(text):
    """Return the day of a date written YYYY-MM-DD."""
    if isinstance(text, str) and re.match(r"\d{4}-\d\d-\d\d\Z", text):
        try:
            return date(int(text[:4]), int(text[5:7]), int(text[8:])).toordinal()
        except ValueError:
            pass
    raise UsageError("is %r; it must be a date written YYYY-MM-DD" % (text,))


def schedule_of(script):
    """Return SCHEDULE as a dictionary: every, and session or weekday."""
    value = script.get("SCHEDULE")
    schedule = {"every": value} if isinstance(value, str) else value
    if not isinstance(schedule, dict) or schedule.get("every") not in PERIODS:
        raise UsageError("SCHEDULE is %r; it must be one of %s, or a dictionary with \"every\"" % (value, ", ".join(PERIODS)))
    day, session = schedule.get("weekday"), schedule.get("session", -1)
    if day is not None and (schedule["every"] != "weekly" or day not in WEEKDAYS):
        raise UsageError("SCHEDULE weekday is %r; it must be one of %s, and only with weekly" % (day, ", ".join(WEEKDAYS)))
    if not isinstance(session, int) or session == 0:
        raise UsageError("SCHEDULE session is %r; 1 is the first of the period, -1 the last" % (session,))
    return schedule


def word(script, name, accepted):
    """Return a constant that accepts a few words; the first is the default."""
    value = script.get(name, accepted[0])
    if value not in accepted:
        raise UsageError("%s is %r; it must be one of %s" % (name, value, ", ".join(accepted)))
    return value


class Inputs:
    """ctx.inputs: the input values of a run, by attribute or by key."""

    def __init__(self, values):
        self._values = values

    def __getattr__(self, name):
        if name not in self._values:
            raise AttributeError("INPUTS declares no %s%s" % (name, nearest(name, self._values)))
        return self[name]

    def __getitem__(self, name):
        if name not in self._values:
            raise KeyError("INPUTS declares no %s%s" % (name, nearest(name, self._values)))
        value = self._values[name]
        return list(value) if isinstance(value, list) else value

    def __contains__(self, name):
        return name in self._values


def schema_of(script, added):
    """Return the terms of every input: those that the script declares, then those that every script of the kind has.

    A script that declares one of the latter changes its default, and its bounds
    within those that there are.
    """
    schema = {}
    for name, terms in script.get("INPUTS", {}).items():
        own = added.get(name, {})
        schema[name] = dict(own, **terms)
        for bound, narrower in (("minimum", max), ("maximum", min)):
            if bound in own and bound in terms:
                schema[name][bound] = narrower(own[bound], terms[bound])
    for name, terms in added.items():
        schema.setdefault(name, terms)
    return schema


def bind(script, given, kind, added):
    """Give every input of a script its value: the given one, or its default. added are those that every script of the kind has."""
    schema = schema_of(script, added)
    for name in given:
        if name not in schema:
            raise UsageError("this %s has no input %s%s; it has %s"
                             % (kind, name, nearest(name, schema), listed(sorted(schema))))
    values = {}
    for name, terms in schema.items():
        try:
            values[name] = accept(terms, given.get(name, terms["default"]))
            if name == "universe":
                members(values[name])
        except UsageError as e:
            raise UsageError("input %s %s" % (name, e)) from None
    return Inputs(values)


def universe_of(script, inputs):
    """Return the members of a run, in order."""
    if "universe" in inputs:
        return inputs.universe
    universe = script.get("UNIVERSE")
    if not isinstance(universe, list):
        raise UsageError('the script names no members: add universe to INPUTS')
    return members(universe)


def members(universe):
    """Check a list of members and return it."""
    if not universe:
        raise UsageError("is empty; it must be an array of 1 or more symbols")
    for k, s in enumerate(universe):
        if not isinstance(s, str) or not s or s != s.strip() or s.upper() == "CASH":
            raise UsageError("has %r, which is not a symbol, name or id" % (s,))
        if s in universe[:k]:
            raise UsageError("has %s twice" % s)
    return universe


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def accept(terms, value):
    """Return a value in the form of its input: a number as a float, an integer as an int."""
    expected = describe(terms)
    if value is None and terms["default"] is None:
        return None
    kind = terms["type"]
    if kind == "number" and terms.get("format") == "series" and isinstance(value, str):
        if not re.match(r"[A-Za-z][A-Za-z0-9_-]{0,39}\.[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z", value):
            raise UsageError("is %r; it must be %s" % (value, expected))
        return value
    if kind in ("number", "integer") and is_number(value) and math.isfinite(value):
        if kind == "integer" and value != int(value):
            raise UsageError("is %s; it must be an integer" % value)
        if value < terms.get("minimum", -math.inf) or value > terms.get("maximum", math.inf):
            raise UsageError("is %s; it must be %s" % (value, expected))
        return int(value) if kind == "integer" else float(value)
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "string" and isinstance(value, str) and len(value) <= MOST_CHARACTERS:
        if "enum" in terms and value not in terms["enum"]:
            raise UsageError("is %r%s; it must be %s" % (value, nearest(value, terms["enum"]), expected))
        if terms.get("format") == "date":
            parse_date(value)
        return value
    if kind == "array" and isinstance(value, (list, tuple)) and len(value) <= MOST_ELEMENTS:
        return accept_array(terms, value)
    raise UsageError("is %r; it must be %s" % (value, expected))


def accept_array(terms, value):
    """Return a list of strings, of numbers or of booleans, of the same type as the default's first element."""
    elements = [float(x) if is_number(x) else x for x in value]
    default = terms["default"]
    kind = type(float(default[0]) if is_number(default[0]) else default[0]) if default else None
    for k, x in enumerate(elements):
        kind = kind or type(x)
        if type(x) is not kind or kind not in (str, float, bool) or x != x:
            name = {str: "strings", float: "numbers", bool: "booleans"}.get(kind, "strings, numbers or booleans")
            raise UsageError("has %r as element %d; it must be an array of %s" % (value[k], k + 1, name))
    return elements


def describe(terms):
    """Describe the values that an input accepts."""
    if "enum" in terms:
        return "one of " + ", ".join(terms["enum"])
    text = {"number": "a number", "integer": "an integer", "string": "a string", "boolean": "true or false",
            "array": "an array"}[terms["type"]]
    if terms.get("format") == "date":
        text = "a date written YYYY-MM-DD"
    if "minimum" in terms:
        text += (" from %g" if "maximum" in terms else " of at least %g") % terms["minimum"]
    if "maximum" in terms:
        text += (" to %g" if "minimum" in terms else " of at most %g") % terms["maximum"]
    return text + (", or null" if terms["default"] is None else "")
