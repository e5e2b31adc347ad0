"""The context: what decide(ctx) sees, the past up to and including a session."""
import math
import re

from dialect import DAY, print
from frame import iso
from inputs import nearest
from vector import Vector

SERIES = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}\Z")
MOST_SERIES = 64
CASH_TOLERANCE = 1e-9  # accepted difference between a stated CASH and what the members leave
MOST_FRACTIONS = 10  # largest accepted sum of weights that are all at least 1; more are probably percentages


class Context:
    """The ctx of decide. Each run has one; it shows the session of the current decision."""

    def __init__(self, engine, inputs, outside):
        self._engine = engine
        self._outside = outside
        self._members = {m.key: i for i, m in enumerate(engine.frame.members)}
        self._universe = self._weights = None
        self.inputs = inputs

    def _begin(self):
        self._universe = self._weights = None
        DAY[0] = self.date

    def __getattr__(self, name):
        known = sorted(n for n in dir(Context) + ["inputs"] if not n.startswith("_"))
        raise AttributeError("the context has no %s%s; it has %s" % (name, nearest(name, known), ", ".join(known)))

    @property
    def date(self):
        return iso(self._engine.frame.axis[self._engine.t])

    @property
    def universe(self):
        """The members that can be held now."""
        if self._universe is None:
            e = self._engine
            self._universe = [m.key for i, m in enumerate(e.frame.members) if e.tradable[i]]
        return self._universe

    @property
    def weights(self):
        """The weights that are held, drifted to this close, without CASH."""
        if self._weights is None:
            pairs = zip(self._members, self._engine.weights())
            self._weights = {key: w for key, w in pairs if w != 0}
        return self._weights

    @property
    def equity(self):
        return self._engine.equity

    @property
    def cash(self):
        return self._engine.cash

    @property
    def last_decision(self):
        decided = self._engine.decided
        return None if decided is None else iso(self._engine.frame.axis[decided])

    @property
    def bars_per_year(self):
        return self._engine.frame.bars_per_year

    def _member(self, symbol):
        if not isinstance(symbol, str):
            raise TypeError("got %s for a symbol, want a string" % type(symbol).__name__)
        if symbol not in self._members:
            raise KeyError("%s is not in the universe%s" % (symbol, nearest(symbol, self._members)))
        return self._engine.frame.members[self._members[symbol]]

    def sessions(self, symbol):
        """The number of sessions of symbol so far, including its first bar."""
        first, t = self._member(symbol).first, self._engine.t
        return 0 if first < 0 or first > t else t - first + 1

    def prices(self, symbol, n=None):
        """The last n values of its total-return index, 1.0 at its first bar."""
        n = length("prices", n)
        return Vector(self._member(symbol).prices(self._engine.t, n))

    def returns(self, symbol, n=None):
        """Its last n daily total returns."""
        n = length("returns", n)
        return Vector(self._member(symbol).past_returns(self._engine.t, n))

    def panel(self, symbols, n=None):
        """A dictionary from symbols to their last returns: n, or as many as the youngest member has."""
        n = length("panel", n)
        symbols = list(symbols)
        columns = [self._member(s).past_returns(self._engine.t, n) for s in symbols]
        least = min(map(len, columns)) if columns else 0
        return {s: Vector(column[len(column) - least:]) for s, column in zip(symbols, columns)}

    def series(self, name, n=None):
        """The last n values of a column of a series from outside that are known at the session."""
        n = length("series", n)
        return Vector(self._outside.past(name, self._engine.frame.axis[self._engine.t], n)[1])

    def series_dates(self, name, n=None):
        """The dates of those values."""
        n = length("series_dates", n)
        return self._outside.past(name, self._engine.frame.axis[self._engine.t], n)[0]

    def record(self, name, value):
        """Store a number for this session under a name."""
        custom = self._engine.result.custom
        if not isinstance(name, str) or not SERIES.match(name):
            raise ValueError("record: %r cannot be the name of a series: write a letter, then up to 63 letters, digits, _, . and -" % name)
        if name not in custom and len(custom) == MOST_SERIES:
            raise ValueError("record: %s would be series %d; a run stores at most %d" % (name, MOST_SERIES + 1, MOST_SERIES))
        if value is None:
            value = math.nan
        elif not isinstance(value, (bool, int, float)):
            raise TypeError("record: the value of %s is a %s; it must be a number, True, False or None" % (name, type(value).__name__))
        try:
            value = float(value)
        except OverflowError:
            value = math.inf
        self._engine.record(name, value)

    def log(self, text):
        """Write a line to the run's log."""
        print(text)


def length(function, n):
    if n is not None and (isinstance(n, bool) or not isinstance(n, int) or n < 0):
        raise ValueError("%s: n is %s; it must be an integer of at least 0" % (function, n))
    return n


def read_target(engine, weights):
    """Read what decide returned: one weight per member, or None for no trade."""
    if weights is None:
        return None
    if not isinstance(weights, dict):
        raise TypeError("decide returned a %s; it must return a dictionary from symbols to weights, or None for no trade"
                        % type(weights).__name__)
    frame = engine.frame
    keys = {m.key: i for i, m in enumerate(frame.members)}
    target = [0.0] * len(keys)
    cash, total = None, 0.0
    least = math.inf  # the smallest weight other than 0
    for symbol, w in weights.items():
        if not isinstance(symbol, str):
            raise TypeError("decide returned the key %r; keys must be symbols" % (symbol,))
        if isinstance(w, bool) or not isinstance(w, (int, float)):
            raise TypeError("the weight of %s is a %s; it must be a number" % (symbol, type(w).__name__))
        w = float(w)
        if not math.isfinite(w):
            raise ValueError("the weight of %s is %s; it must be a finite number" % (symbol, w))
        if w != 0:
            least = min(least, w)
        if symbol == "CASH":
            cash = w
            continue
        if symbol not in keys:
            raise KeyError("%s is not in the universe%s" % (symbol, nearest(symbol, keys)))
        first = frame.members[keys[symbol]].first
        if w != 0 and (first < 0 or first > engine.t):
            since = " (its first is on %s)" % iso(frame.axis[first]) if first >= 0 else ""
            raise ValueError("%s has a weight of %s, but no bar yet%s; ctx.universe has the symbols that can be held"
                             % (symbol, w, since))
        target[keys[symbol]] = w
        total += w
    if least >= 1 and total + (cash or 0.0) > MOST_FRACTIONS:
        raise ValueError("the weights add up to %s, which looks like percentages; weights are fractions of equity: 0.6 is 60 %%"
                         % (total + (cash or 0.0)))
    if cash is not None and abs(cash - (1 - total)) > CASH_TOLERANCE:
        raise ValueError("CASH is %s, but the other weights leave %s; leave CASH out, it is always what remains"
                         % (cash, 1 - total))
    return target
