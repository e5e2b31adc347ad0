"""Rules of spending and saving, called in simulate(ctx). Each returns the money of the step.

A rule remembers what it needs by path and by its place among the rules that are
called in a step.
"""
import math

from arguments import _finite, _refuse, _type_name
from vector import _divide, _short

LAST_YEARS = 15  # of a plan, in which guyton_klinger does not cut
FIRST_AGE = 72
# The uniform lifetime table of the United States for years from 2022 on
# (26 CFR 1.401(a)(9)-9(c)). The last value is for all later ages.
LIFETIMES = (
    27.4, 26.5, 25.5, 24.6, 23.7, 22.9, 22.0, 21.1, 20.2, 19.4,  # from 72
    18.5, 17.7, 16.8, 16.0, 15.2, 14.4, 13.7, 12.9, 12.2, 11.5,  # from 82
    10.8, 10.1, 9.5, 8.9, 8.4, 7.8, 7.3, 6.8, 6.4, 6.0,  # from 92
    5.6, 5.2, 4.9, 4.6, 4.3, 4.1, 3.9, 3.7, 3.5, 3.4,  # from 102
    3.3, 3.1, 3.0, 2.9, 2.8, 2.7, 2.5, 2.3, 2.0,  # from 112
)


class Memory:
    """What a rule remembers of a path."""

    __slots__ = ("rule", "first", "last", "price")

    def __init__(self):
        self.rule = None  # that it is of; None before the first
        self.first = 0.0  # what the rule began with
        self.last = 0.0  # its last yearly amount
        self.price = 0.0  # the price level of that

    def begins(self, rule):
        """Return whether a rule is new to the memory, which then forgets the one before."""
        if self.rule == rule:
            return False
        self.rule, self.first, self.last, self.price = rule, 0.0, 0.0, 0.0
        return True


class Payer:
    """The base of the context of simulate: it has the state of a path and the memory of the rules."""

    __slots__ = ()


def _memory(function, ctx):
    """Return what the rule remembers of the path; every call of a rule in a step has its own."""
    if not isinstance(ctx, Payer):
        _refuse(function, "ctx is a %s; the context of simulate is needed", _type_name(ctx))
    return ctx._next_memory()


def _of_step(ctx, yearly):
    """Return the part of a year's money that falls to the step."""
    return yearly * ctx._step_months / 12


def _share(function, name, x):
    """Read a yearly share of the value."""
    x = _finite(function, name, x)
    if not 0 <= x <= 1:
        _refuse(function, "%s is %s: it must be a yearly share of the value from 0 to 1, such as 0.04", name, _short(x))
    return x


def _money(function, name, x):
    """Read an amount of money."""
    x = _finite(function, name, x)
    if not 0 <= x <= 1e15:
        _refuse(function, "%s is %s: it must be money, of 0 or more", name, _short(x))
    return x


def withdraw_fixed(ctx, rate=None, amount=None):
    """Withdraw the same each year, rising with prices: a share of the start value, or an amount of money."""
    function = "withdraw_fixed"
    _memory(function, ctx)
    if (rate is None) == (amount is None):
        _refuse(function, "give either rate, a fraction of the start value a year such as 0.04, or amount, money a year")
    if rate is None:
        return _of_step(ctx, _money(function, "amount", amount) * ctx.price_level)
    rate = _finite(function, "rate", rate)
    if not 0 <= rate <= 1:
        _refuse(function, "rate is %s: it must be a share of the start value from 0 to 1, such as 0.04", _short(rate))
    return _of_step(ctx, rate * ctx.start_value * ctx.price_level)


def withdraw_percentage(ctx, rate):
    """Withdraw a share of the value each year."""
    function = "withdraw_percentage"
    _memory(function, ctx)
    return _of_step(ctx, _share(function, "rate", rate) * ctx.value)


def withdraw_floor_ceiling(ctx, rate, floor, ceiling):
    """Withdraw a share of the value each year, within bounds that are fractions of the first real withdrawal."""
    function = "withdraw_floor_ceiling"
    m = _memory(function, ctx)
    rate, floor, ceiling = _finite(function, "rate", rate), _finite(function, "floor", floor), _finite(function, "ceiling", ceiling)
    if not 0 <= floor <= ceiling:
        _refuse(function, "floor is %s and ceiling is %s: both are fractions of the first withdrawal, and floor may be at most ceiling",
                _short(floor), _short(ceiling))
    yearly = _share(function, "rate", rate) * ctx.value
    if m.begins(function):
        m.first = yearly / ctx.price_level
    return _of_step(ctx, min(max(yearly, floor * m.first * ctx.price_level), ceiling * m.first * ctx.price_level))


def guyton_klinger(ctx, rate, guard=0.2, change=0.1):
    """Withdraw by the decision rules of Guyton and Klinger (2006).

    It begins with a share of the value and decides each year. The withdrawal
    rises with prices, but not after a year with a loss if it is a larger share of the
    value than the first one was. Where that share is then above the upper guard, the
    withdrawal is cut, except in the last fifteen years; below the lower one it is
    raised.
    """
    function = "guyton_klinger"
    m = _memory(function, ctx)
    rate, guard, change = _finite(function, "rate", rate), _finite(function, "guard", guard), _finite(function, "change", change)
    if not 0 <= guard <= 1:
        _refuse(function, "guard is %s: it must be a fraction of the first rate from 0 to 1, such as 0.2", _short(guard))
    if not 0 <= change <= 1:
        _refuse(function, "change is %s: it must be a fraction from 0 to 1, such as 0.1", _short(change))
    rate = _share(function, "rate", rate)
    if m.begins(function):
        m.last, m.price = rate * ctx.value, ctx.price_level
    elif ctx._month % 12 == 0:
        m.last, m.price = _next_yearly(ctx, m, rate, guard, change), ctx.price_level
    return _of_step(ctx, m.last)


def _next_yearly(ctx, m, rate, guard, change):
    """Return the yearly amount of guyton_klinger from the beginning of another year on."""
    yearly = m.last
    if ctx._year_growth >= 1 or _divide(yearly, ctx.value) <= rate:
        yearly *= _divide(ctx.price_level, m.price)
    share = _divide(yearly, ctx.value)
    if share > (1 + guard) * rate and ctx.years_left > LAST_YEARS:
        return yearly * (1 - change)
    if share < (1 - guard) * rate:
        return yearly * (1 + change)
    return yearly


def vpw(ctx, rate=0.03):
    """Withdraw what would use up the value in equal real payments at the beginnings of the years that are left."""
    function = "vpw"
    _memory(function, ctx)
    rate = _finite(function, "rate", rate)
    if not -0.5 < rate <= 1:
        _refuse(function, "rate is %s: it must be a yearly real return above -0.5 and of at most 1, such as 0.03", _short(rate))
    if rate == 0:
        return _of_step(ctx, ctx.value / ctx.years_left)
    return _of_step(ctx, ctx.value * rate / -math.expm1(-ctx.years_left * math.log1p(rate)) / (1 + rate))


def life_expectancy(ctx, age):
    """Withdraw the value divided by the years that remain by the uniform lifetime table; age is that at the start."""
    function = "life_expectancy"
    _memory(function, ctx)
    age = _finite(function, "age", age)
    if age != math.trunc(age) or abs(age) > 1000:
        _refuse(function, "age is %s; it must be a whole number of years", _short(age))
    age = int(age)
    if not FIRST_AGE <= age <= 120:
        _refuse(function, "age is %d: the uniform lifetime table has the ages from %d to 120; before %d, another rule such as vpw can be used",
                age, FIRST_AGE, FIRST_AGE)
    return _of_step(ctx, ctx.value / LIFETIMES[min(age + ctx._month // 12 - FIRST_AGE, len(LIFETIMES) - 1)])


def ratchet(ctx, rate, raise_by=0.1, above=1.5):
    """Withdraw a share of the value as the same real amount each year, and raise it for good in years that begin with a value far above that."""
    function = "ratchet"
    m = _memory(function, ctx)
    rate, raise_by, above = _finite(function, "rate", rate), _finite(function, "raise_by", raise_by), _finite(function, "above", above)
    if not 0 <= raise_by <= 1:
        _refuse(function, "raise_by is %s: it must be a fraction from 0 to 1, such as 0.1", _short(raise_by))
    if not above > 0:
        _refuse(function, "above is %s: it must be a multiple of the start value, such as 1.5", _short(above))
    rate = _share(function, "rate", rate)
    if m.begins(function):
        m.first = ctx.real_value
        m.last = rate * m.first
    elif ctx._month % 12 == 0 and ctx.real_value > above * m.first:
        m.last *= 1 + raise_by
    return _of_step(ctx, m.last * ctx.price_level)


def contribute(ctx, amount, growth=None):
    """Pay in an amount a year, which grows by a yearly rate, or with prices."""
    function = "contribute"
    _memory(function, ctx)
    amount = _finite(function, "amount", amount)
    grown = ctx.price_level
    if growth is not None:
        growth = _finite(function, "growth", growth)
        if not -0.5 < growth <= 1:
            _refuse(function, "growth is %s: it must be a yearly rate above -0.5 and of at most 1, or None to rise with prices", _short(growth))
        grown = (1 + growth) ** (ctx._month / 12)
    return -_of_step(ctx, _money(function, "amount", amount) * grown)


def flows(ctx, list):
    """Pay dated amounts: dictionaries with first and last, years of the plan from 1, amount, money a year (positive leaves the plan), and real."""
    function = "flows"
    _memory(function, ctx)
    if isinstance(list, (str, int, float, type(None))) or not hasattr(list, "__iter__"):
        _refuse(function, "list is a %s; a list of dictionaries is needed", _type_name(list))
    year, total = ctx._month // 12 + 1, 0.0
    for i, flow in enumerate(list, 1):
        first, last, amount, real = _flow(function, i, flow)
        if first <= year <= last:
            total += amount * ctx.price_level if real else amount
    return _of_step(ctx, total)


def _flow(function, i, flow):
    """Read one dictionary of flows."""
    if not isinstance(flow, dict):
        _refuse(function, 'flow %d is a %s; it must be a dictionary such as {"first": 1, "last": 10, "amount": 12000}', i, _type_name(flow))
    for key in flow:
        if key not in ("first", "last", "amount", "real"):
            _refuse(function, "flow %d has the key %s; it may have first, last, amount and real", i, '"%s"' % key if isinstance(key, str) else key)
    for key in ("first", "last", "amount"):
        if key not in flow:
            _refuse(function, "flow %d has no %s", i, key)
    for key in ("first", "last"):
        year = flow[key]
        if isinstance(year, bool) or not isinstance(year, (int, float)) or abs(year) > 1000 or year != math.trunc(year):
            _refuse(function, "flow %d: %s is %s; it must be a year of the plan, a whole number from 1", i, key, year)
    real = flow.get("real", True)
    if not isinstance(real, bool):
        _refuse(function, "flow %d: real is a %s; it must be True or False", i, _type_name(real))
    first, last, amount = flow["first"], flow["last"], _finite(function, "flow %d: amount" % i, flow["amount"])
    if first < 1 or last < first:
        _refuse(function, "flow %d is from year %d to year %d: years count from 1, and first is at most last", i, first, last)
    return first, last, amount, real


RULES = {
    function.__name__: function
    for function in (
        contribute, flows, guyton_klinger, life_expectancy, ratchet, vpw, withdraw_fixed, withdraw_floor_ceiling,
        withdraw_percentage,
    )
}
