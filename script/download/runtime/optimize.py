"""Optimisers: weights from risk."""
import math

from arguments import _finite, _finite_weights, _floats, _numbers, _refuse, _symbol, _type_name
from dual import _Clash
from matrix import Matrix, _moving_risk, _multiply, _quadratic, _risk
from parity import _NoParity, _risk_parity
from quadratic import _least_variance
from vector import (Vector, _as_float, _constant, _divide, _finite_result, _gross, _is_number, _mean, _plain_sum, _root,
                    _short, _std)


def inverse_volatility(panel):
    """Weights in proportion to 1/volatility that add up to 1; panel has the returns or the volatility of each symbol."""
    name = "inverse_volatility"
    if not isinstance(panel, dict):
        _refuse(name, "panel is a %s; a dictionary by symbol is needed", _type_name(panel))
    weights = {}
    total = 0.0
    for s, column in panel.items():
        _symbol(name, "panel", s)
        if _is_number(column):
            sigma = _as_float(column)
        else:
            r = _floats(name, s, column, 2)
            sigma = 0.0 if _constant(r) else _std(r)
        if not 0 < sigma < math.inf:
            _refuse(name, "the volatility of %s is %s; leave it out", s, _short(sigma))
        weights[s] = 1 / sigma
        total += weights[s]
    return _finite_weights(name, {s: w / total for s, w in weights.items()})


def min_variance(panel, lower=0.0, upper=1.0, total=1.0, groups=None):
    """The weights within limits that add up to total and have the least variance."""
    name = "min_variance"
    symbols, rows = _moving_risk(name, panel)
    _enough(name, panel)
    bounds = _bounds(name, symbols, lower, upper, total)
    return _optimal(name, symbols, rows, [0.0] * len(rows), bounds, _groups(name, symbols, groups))


def mean_variance(panel, risk_aversion=4.0, lower=0.0, upper=1.0, total=1.0, expected=None, groups=None):
    """The weights within limits that add up to total and have the highest m'w - risk_aversion/2 * w'Sw."""
    name = "mean_variance"
    symbols, rows = _moving_risk(name, panel)
    aversion = _finite(name, "risk_aversion", risk_aversion)
    _enough(name, panel)
    if not aversion > 0:
        _refuse(name, "risk_aversion is %s; it must be above 0", _short(aversion))
    bounds = _bounds(name, symbols, lower, upper, total)
    sums = _groups(name, symbols, groups)
    if expected is not None:
        means = _by(name, "expected", symbols, expected)
    elif symbols and isinstance(panel, Matrix):
        _refuse(name, "expected is missing: a covariance matrix has no mean returns")
    else:
        means = [_mean(panel[s]) for s in symbols]
    return _optimal(name, symbols, rows, [-m / aversion for m in means], bounds, sums)


class _Optimum(dict):
    """The weights of an optimiser, which cap limits by solving the problem again."""

    def __init__(self, weights, problem):
        super().__init__(weights)
        self._problem = problem


def _solved(function, symbols, bounds, solve):
    """The weights that solve(function, low, high, total) gives, by symbol."""
    if not symbols:
        return {}
    low, high, total = bounds
    weights = _finite_weights(function, dict(zip(symbols, solve(function, low, high, total))))
    return _Optimum(weights, (dict(weights), symbols, bounds, solve))


def _capped(function, weights, limit):
    """The optimum with no weight above limit; None for weights that no optimiser gave, or that the script has changed."""
    problem = getattr(weights, "_problem", None)
    if problem is None or list(weights.items()) != list(problem[0].items()) or max(weights.values()) <= limit:
        return None
    _, symbols, (low, high, total), solve = problem
    for s, a in zip(symbols, low):
        if a > limit:
            _refuse(function, "the lower bound of %s is %s, above the limit of %s", s, _short(a), _short(limit))
    high = [min(b, limit) for b in high]
    return _solved(function, symbols, (low, high, min(total, _plain_sum(high, 0.0))), solve)


def _enough(function, panel):
    """Refuse fewer bars than members, of which the covariance is singular."""
    if isinstance(panel, Matrix) or not panel:
        return
    bars = len(next(iter(panel.values())))
    if bars < len(panel):
        _refuse(function, "%d bars do not determine the weights of %d members; use at least as many bars as members, "
                'or covariance(panel, "ledoit_wolf") in place of the panel', bars, len(panel))


def _groups(function, symbols, groups):
    """Read a list of groups: (members, least, most) each, with members as positions."""
    if groups is None:
        return []
    if not isinstance(groups, (list, tuple, Vector)):
        _refuse(function, "groups is a %s; a list of dictionaries is needed, such as "
                '[{"members": ["A", "B"], "max": 0.5}]', _type_name(groups))
    place = {s: i for i, s in enumerate(symbols)}
    sums = []
    for g, group in enumerate(groups, 1):
        if not isinstance(group, dict):
            _refuse(function, "group %d is a %s; a dictionary with members, min and max is needed", g, _type_name(group))
        members, least, most = None, -math.inf, math.inf
        for key, value in group.items():
            if key == "members":
                members = _members(function, g, place, value)
            elif key == "min":
                least = _finite(function, "the min of group %d" % g, value)
            elif key == "max":
                most = _finite(function, "the max of group %d" % g, value)
            else:
                _refuse(function, "group %d has the key %s; it takes members, min and max", g,
                        '"%s"' % key if isinstance(key, str) else key)
        if members is None:
            _refuse(function, "group %d has no members", g)
        if least > most:
            _refuse(function, "group %d has a min of %s, above its max of %s", g, _short(least), _short(most))
        sums.append((members, least, most))
    return sums


def _members(function, g, place, names):
    if not isinstance(names, (list, tuple, Vector)):
        _refuse(function, "the members of group %d are a %s; a list of symbols is needed", g, _type_name(names))
    seen, members = set(), []
    for s in names:
        if not isinstance(s, str):
            _refuse(function, "group %d has the member %s, which is not a symbol", g, s)
        if s in seen:
            _refuse(function, "group %d names %s twice", g, s)
        seen.add(s)
        if s in place:
            members.append(place[s])
    return members


def _optimal(name, symbols, rows, linear, bounds, sums):
    def solve(function, low, high, total):
        try:
            return _least_variance(rows, linear, low, high, [(range(len(rows)), total, total)] + sums)
        except _Clash as clash:
            _refuse(function, "no weights satisfy all limits. These contradict one another: %s. Relax one of them",
                    "; ".join(_described(clash.limits, symbols, low, high, total, sums)))
        except ValueError as problem:
            _refuse(function, "%s", problem)
    return _solved(name, symbols, bounds, solve)


def _described(limits, symbols, low, high, total, sums):
    """Describe limits that contradict one another."""
    parts = []
    for upper, side, bounds in ((False, "lower", low), (True, "upper", high)):
        at = sorted(i for r, i, u in limits if r < 0 and u == upper)
        held = _short(_plain_sum([bounds[i] for i in at], 0.0))
        if len(at) == 1:
            parts.append("the %s bound of %s is %s" % (side, symbols[at[0]], held))
        elif at:
            parts.append("the %s bounds of %s add up to %s" % (side, _several([symbols[i] for i in at]), held))
    for r, _, upper in limits:
        if r == 0:
            parts.append("all weights add up to %s" % _short(total))
        elif r > 0:
            members, least, most = sums[r - 1]
            limit = "at most %s" % _short(most) if upper else "at least %s" % _short(least)
            if members:
                parts.append("group %d (%s) has %s" % (r, _several([symbols[i] for i in members]), limit))
            else:
                parts.append("group %d has %s but no member in the panel" % (r, limit))
    return parts


def _several(names):
    if len(names) > 8:
        return "%s and %d others" % (", ".join(names[:8]), len(names) - 8)
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _bounds(function, symbols, lower, upper, total):
    """Read bounds: numbers, or dictionaries from symbols to numbers."""
    total = _finite(function, "total", total)
    low = _bound(function, "lower", symbols, lower, 0.0)
    high = _bound(function, "upper", symbols, upper, 1.0)
    for s, a, b in zip(symbols, low, high):
        if a > b:
            _refuse(function, "the lower bound of %s is %s, above its upper of %s", s, _short(a), _short(b))
    least, most = _plain_sum(low, 0.0), _plain_sum(high, 0.0)
    if symbols and least > total + 1e-12:
        _refuse(function, "the lower bounds add up to %s, above the total of %s", _short(least), _short(total))
    if symbols and most < total - 1e-12:
        _refuse(function, "the upper bounds add up to %s, below the total of %s", _short(most), _short(total))
    return low, high, total


def _bound(function, what, symbols, value, standard):
    if not isinstance(value, dict):
        return [_finite(function, what, value, ", or a dictionary by symbol")] * len(symbols)
    bounds = _numbers(function, what, value)
    return [bounds.get(s, standard) for s in symbols]


def risk_parity(panel, budget=None, lower=0.0, upper=1.0, total=1.0):
    """The positive weights within bounds that add up to total and share the variance in proportion to the budget."""
    name = "risk_parity"
    symbols, rows = _moving_risk(name, panel)
    shares = _budget(name, symbols, budget)
    bounds = _bounds(name, symbols, lower, upper, total)
    if not bounds[2] > 0:
        _refuse(name, "the total is %s; it must be above 0", _short(bounds[2]))

    def solve(function, low, high, total):
        for s, b in zip(symbols, high):
            if not b > 0:
                _refuse(function, "the upper bound of %s is %s; a weight that shares risk is above 0", s, _short(b))
        try:
            return _risk_parity(rows, shares, low, high, total)
        except _NoParity:
            _refuse(function, "no weights that share risk as asked were found; the matrix may not be a covariance")
    return _solved(name, symbols, bounds, solve)


def _budget(function, symbols, budget):
    """Read a budget of risk and scale it to add up to 1."""
    if budget is None:
        return [1 / len(symbols) for _ in symbols]
    given = _by(function, "budget", symbols, budget)
    if math.isinf(_plain_sum(given, 0.0)):
        _refuse(function, "the budget is too large to add up; only its proportions count")
    for s, share in zip(symbols, given):
        if not share > 0:
            _refuse(function, "the budget of %s is %s; it must be above 0", s, _short(share))
    total = _plain_sum(given, 0.0)
    return [share / total for share in given]


def _by(function, what, symbols, values):
    """Read a dictionary that must have a number for each of symbols, and may have others."""
    given = _numbers(function, what, values)
    for s in symbols:
        if s not in given:
            _refuse(function, "%s has no %s", what, s)
    return [given[s] for s in symbols]


def vol_target(weights, panel, target, max_gross=1.0, bars_per_year=252):
    """The weights scaled to an annual volatility of target, with a gross exposure of at most max_gross."""
    name = "vol_target"
    target, most = _finite(name, "target", target), _finite(name, "max_gross", max_gross)
    bars = _finite(name, "bars_per_year", bars_per_year)
    k, w, rows = _held(name, weights, panel)
    if target < 0 or most < 0 or bars <= 0:
        _refuse(name, "target and max_gross must be at least 0, and bars_per_year above 0")
    gross = _gross(k.values())
    if gross == 0:
        return k
    factor = most / gross
    variance = _quadratic(w, rows)
    if variance > 0:
        factor = min(factor, _divide(target, math.sqrt(variance * bars)))
    return _finite_weights(name, {s: x * factor for s, x in k.items()})


def portfolio_volatility(weights, panel, bars_per_year=252):
    """The annual volatility of constant weights, from the covariances of a panel."""
    name = "portfolio_volatility"
    bars = _finite(name, "bars_per_year", bars_per_year)
    _, w, rows = _held(name, weights, panel)
    return _finite_result(name, _root(max(_quadratic(w, rows), 0.0) * bars))


def risk_contribution(weights, panel):
    """Each member's share of the variance, in the order of weights; all 0 if the variance is 0."""
    name = "risk_contribution"
    k, w, rows = _held(name, weights, panel)
    variance = _quadratic(w, rows)
    if not variance > 0:
        return {s: 0.0 for s in k}
    symbols = list(panel)
    marginal = dict(zip(symbols, _multiply(rows, w)))
    return _finite_weights(name, {s: x * marginal[s] / variance for s, x in k.items()})


def _held(function, weights, panel):
    """Read weights and a panel: the weights, the weights in the order of the rows, and the rows."""
    k = _numbers(function, "weights", weights)
    symbols, rows = _risk(function, panel)
    for s in k:
        if s not in symbols:
            _refuse(function, "panel has no returns of %s", s)
    return k, [k.get(s, 0.0) for s in symbols], rows
