"""Optimisers: weights from risk."""
import math

from arguments import _finite, _finite_weights, _floats, _numbers, _refuse, _symbol, _type_name
from matrix import Matrix, _moving_risk, _multiply, _quadratic, _risk
from vector import (_as_float, _constant, _divide, _finite_result, _gross, _is_number, _mean, _plain_sum, _root,
                    _short, _std)

_DESCENT_STEPS = 20000
_CONVERGED = 1e-12


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


def min_variance(panel, lower=0.0, upper=1.0, total=1.0):
    """The weights within bounds that add up to total and have the least variance."""
    symbols, rows = _moving_risk("min_variance", panel)
    bounds = _bounds("min_variance", symbols, lower, upper, total)
    return _weighed("min_variance", symbols, _descend(rows, [0.0] * len(rows), *bounds))


def mean_variance(panel, risk_aversion=4.0, lower=0.0, upper=1.0, total=1.0, expected=None):
    """The weights within bounds that add up to total and have the highest m'w - risk_aversion/2 * w'Sw."""
    name = "mean_variance"
    symbols, rows = _moving_risk(name, panel)
    aversion = _finite(name, "risk_aversion", risk_aversion)
    if not aversion > 0:
        _refuse(name, "risk_aversion is %s; it must be above 0", _short(aversion))
    bounds = _bounds(name, symbols, lower, upper, total)
    if expected is not None:
        means = _by(name, "expected", symbols, expected)
    elif symbols and isinstance(panel, Matrix):
        _refuse(name, "expected is missing: a covariance matrix has no mean returns")
    else:
        means = [_mean(panel[s]) for s in symbols]
    return _weighed(name, symbols, _descend(rows, [-m / aversion for m in means], *bounds))


def _weighed(function, symbols, weights):
    return _finite_weights(function, dict(zip(symbols, weights)))


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


def _descend(rows, linear, low, high, total):
    """Minimise w'Mw/2 + b'w within bounds by pairwise coordinate descent.

    Each step moves weight from the member with the highest gradient above its lower
    bound to the one with the lowest below its upper bound, as far as is optimal,
    until the gradients of the pair differ by at most 1e-12 times the scale of M.
    """
    n = len(rows)
    if n == 0:
        return []
    scale = max(max(rows[i][i] for i in range(n)), 0.0)
    rest = total - _plain_sum(low, 0.0)
    reach = [min(b, a + rest) - a for a, b in zip(low, high)]
    whole = _plain_sum(reach, 0.0)
    w = [a + rest * r / whole if r > 0 else a for a, r in zip(low, reach)]
    high = [math.inf if b >= a + rest else b for a, b in zip(low, high)]
    gradient = [g + b for g, b in zip(_multiply(rows, w), linear)]
    for _ in range(_DESCENT_STEPS):
        source = target = -1
        for i, g in enumerate(gradient):
            if w[i] > low[i] and (source < 0 or g > gradient[source]):
                source = i
            if w[i] < high[i] and (target < 0 or g < gradient[target]):
                target = i
        if source < 0 or target < 0:
            break
        gap = gradient[source] - gradient[target]
        if not gap > _CONVERGED * scale:
            break
        move = min(w[source] - low[source], high[target] - w[target])
        curve = rows[source][source] + rows[target][target] - 2 * rows[source][target]
        if curve > 0:
            move = min(move, gap / curve)
        w[target] += move
        if high[target] - w[target] < 1e-15:
            w[target] = high[target]
        w[source] -= move
        if w[source] - low[source] < 1e-15:
            w[source] = low[source]
        for i, row in enumerate(rows):
            gradient[i] += move * (row[target] - row[source])
    return w


def risk_parity(panel, budget=None):
    """The positive weights that add up to 1 and contribute to the variance in proportion to the budget."""
    name = "risk_parity"
    symbols, rows = _moving_risk(name, panel)
    n = len(rows)
    shares = _budget(name, symbols, budget)
    x = [1 / math.sqrt(rows[i][i] * n) for i in range(n)]
    for _ in range(_DESCENT_STEPS):
        moved = 0.0
        for i, row in enumerate(rows):
            rest = 0.0
            for j, v in enumerate(row):
                if j != i:
                    rest += v * x[j]
            step = (math.sqrt(rest * rest + 4 * row[i] * shares[i]) - rest) / (2 * row[i])
            away = _divide(abs(step - x[i]), step)
            if moved == moved and not away <= moved:  # NaN stays NaN
                moved = away
            x[i] = step
        if moved < _CONVERGED:
            break
    total = _plain_sum(x, 0.0)
    return _weighed(name, symbols, [_divide(v, total) for v in x])


def _budget(function, symbols, budget):
    """Read a budget of risk and scale it to add up to 1."""
    if budget is None:
        return [1 / len(symbols) for _ in symbols]
    given = _by(function, "budget", symbols, budget)
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
