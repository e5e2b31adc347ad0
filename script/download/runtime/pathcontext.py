"""The context of simulate(ctx): the past of one path up to a step."""
import math
import re
import sys
from array import array

from arguments import _type_name
from dialect import SILENT, print
from failure import ModelError
from inputs import nearest
from plan import MOST_WEIGHT, Holdings
from spending import Memory, Payer
from vector import Vector, _as_float, _is_number

MOST_RULES = 64  # called in a step
RECORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}\Z")
MOST_RECORDS = 32
MOST_NUMBERS = 8000000
MOST_VALUE = sys.float_info.max


class PathContext(Payer):
    """The ctx of simulate. Each run has one; it shows the step of a path that is decided."""

    __slots__ = (
        "inputs", "value", "start_value", "peak", "inflation", "price_level",
        "_plan", "_simulate", "_located", "_records", "_path", "_rows", "_returns", "_month", "_step_months",
        "_year_growth", "_first", "_last", "_memories", "_rules", "_held",
    )

    def __init__(self, plan, inputs, simulate, located):
        """Call simulate for each step; located describes an error of it as a message and a place."""
        self._plan = plan
        self._simulate = simulate
        self._located = located
        self._records = {}
        self._step_months = plan.step_months
        self.inputs = inputs
        self.start_value = plan.start_value

    def _begin(self, path, rows, returns):
        """Start with a path: rows has its returns by month and member, returns the plan's own, which the carrier updates."""
        self._path, self._rows, self._returns = path, rows, returns
        self._first = self._last = 0.0
        self._memories = []
        self._held = None

    def _decide(self, month, value, peak, price, year_growth, inflation):
        """Return the money of the step that begins with a month."""
        self._month, self.value, self.peak, self.price_level = month, value, peak, price
        self._year_growth, self.inflation = year_growth, inflation
        self._rules = 0
        SILENT[0] = self._path > 0
        try:
            answer = self._simulate(self)
        except Exception as e:
            message, _ = self._located(e)
            raise ModelError("in month %d of path %d: %s" % (month + 1, self._path, message)) from None
        finally:
            SILENT[0] = False
        if type(answer) is float and answer - answer == 0:
            money = answer
        else:
            try:
                money = self._read(answer)
            except ValueError as e:
                raise ModelError("in month %d of path %d, simulate %s" % (month + 1, self._path, e)) from None
        if month == 0:
            self._first = money
        self._last = money
        return money

    def _read(self, answer):
        """Read what simulate returned, and return the money of the step."""
        if answer is None:
            return self._last
        if not isinstance(answer, dict):
            return money_of(answer)
        for key in answer:
            if key not in ("withdraw", "weights"):
                raise ValueError('returned the key "%s"; it may return "withdraw" and "weights"' % (key,))
        if answer.get("weights") is not None:
            self._hold().aim(self._read_weights(answer["weights"]))
        if answer.get("withdraw") is not None:
            return money_of(answer["withdraw"])
        return self._last

    def _read_weights(self, weights):
        """Read weights by symbol. Members that they leave out have none."""
        if not isinstance(weights, dict):
            raise ValueError("returned weights as a %s; they must be a dictionary from symbols to weights" % _type_name(weights))
        keys = self._plan.months.keys
        for symbol, w in weights.items():
            if symbol not in keys:
                raise ValueError("returned a weight of %s, which is not in the universe%s" % (quoted(symbol), nearest(symbol, keys)))
            if not _is_number(w) or not abs(_as_float(w)) <= MOST_WEIGHT:
                raise ValueError("returned %s as the weight of %s; a weight is a number such as 0.6 for 60 %%" % (quoted(w), symbol))
        return [float(weights.get(key, 0.0)) for key in keys]

    def _hold(self):
        """Keep the path's holdings from now on, since the script reads or changes them."""
        if self._held is None:
            held = self._held = Holdings(self._plan)
            for t in range(self._month):
                held.month(t, self._rows[t])
        return self._held

    def _next_memory(self):
        if self._rules == MOST_RULES:
            raise ValueError("simulate calls more than %d rules in a step" % MOST_RULES)
        if self._rules == len(self._memories):
            self._memories.append(Memory())
        self._rules += 1
        return self._memories[self._rules - 1]

    def __getattr__(self, name):
        known = sorted(n for n in dir(PathContext) if not n.startswith("_"))
        raise AttributeError("the context has no %s%s; it has %s" % (name, nearest(name, known), ", ".join(known)))

    @property
    def step(self):
        """The number of the step, 0 the first."""
        return self._month // self._step_months

    @property
    def years_left(self):
        """The years to the end of the plan."""
        return (self._plan.horizon - self._month) / 12

    @property
    def real_value(self):
        """The value in prices of the start."""
        return self.value / self.price_level

    @property
    def first_withdrawal(self):
        """The money of the first step, or None in it."""
        return None if self._month == 0 else self._first

    @property
    def last_withdrawal(self):
        """The money of the step before, or None in the first."""
        return None if self._month == 0 else self._last

    @property
    def weights(self):
        """What the members make up of the value, by symbol."""
        return dict(zip(self._plan.months.keys, self._hold().shares))

    def returns(self, n=None):
        """The plan's last n monthly returns before fees, or all of them."""
        if n is not None and (isinstance(n, bool) or not isinstance(n, int) or n < 1):
            raise ValueError("returns: n is %s; it must be a number of months from 1" % n)
        begin = 0 if n is None else max(0, self._month - n)
        return Vector(self._returns[begin:self._month])

    def record(self, name, value):
        """Record a number of the path in this step; the table recorded shows how it lies over all paths."""
        if not isinstance(value, (bool, int, float, type(None))) or isinstance(value, (int, float)) and abs(value) > MOST_VALUE:
            raise ValueError("record: the value of %s is %s; it must be a finite number, True, False or None" % (name, quoted(value)))
        rows = self._records.get(name)
        if rows is None:
            rows = self._records[name] = self._new_record(name)
        row = rows[self.step]
        if row is None:
            row = rows[self.step] = array("d", [math.nan]) * self._plan.paths
        row[self._path] = math.nan if value is None else value

    def _new_record(self, name):
        steps, paths, n = self._plan.horizon // self._step_months, self._plan.paths, len(self._records) + 1
        if not isinstance(name, str) or not RECORD.match(name):
            raise ValueError('record: "%s" is not a name: a letter, then up to 63 letters, digits, _, . and -' % (name,))
        if n > MOST_RECORDS:
            raise ValueError("record: %s would be name %d; a simulation records up to %d" % (name, n, MOST_RECORDS))
        if n * steps * paths > MOST_NUMBERS:
            raise ValueError("record: %d names in %d steps of %d paths are %d numbers, and at most %d are kept: record fewer "
                             "names, or simulate up to %d paths"
                             % (n, steps, paths, n * steps * paths, MOST_NUMBERS, MOST_NUMBERS // (n * steps)))
        return [None] * steps

    def log(self, text):
        """Write a line to the run's log. Only what the first path writes is kept."""
        print(text)


def quoted(x):
    """Return a value as the script's log would show it in a list."""
    return '"%s"' % x if isinstance(x, str) else x


def money_of(x):
    """Read money."""
    if not _is_number(x):
        raise ValueError('returned a %s; it must return money, {"withdraw": money, "weights": {...}}, or None for the money of the '
                         "step before" % _type_name(x))
    money = _as_float(x)
    if not math.isfinite(money):
        raise ValueError("returned %s; money must be a finite number" % money)
    return money
