"""Optimisers: weights from risk."""
import math

from arguments import _finite, _finite_weights, _floats, _numbers, _refuse, _symbol, _type_name
from matrix import Matrix, _moving_risk, _multiply, _quadratic, _risk
from vector import (_as_float, _constant, _divide, _dot, _finite_result, _gross, _is_number, _mean, _plain_sum,
                    _root, _short, _std)

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
    out = _settle(rows, linear, w, low, high, total)
    if out is None:  # risks cannot be told apart
        raised = _APART * _plain_sum((rows[i][i] for i in range(n)), 0.0) / n
        rows = [[x + raised if i == j else x for j, x in enumerate(row)] for i, row in enumerate(rows)]
        out = _settle(rows, linear, w, low, high, total)
    return w if out is None else out


# The smallest pivot of a factorisation, relative to the diagonal, at which the risks of
# members are told apart. Below it the optimum is not unique.
_LEAST_PIVOT = 1e-10

# How much larger variances count then, as a share of their mean.
_APART = 1e-6


def _settle(rows, linear, w, low, high, total):
    """Turn an answer near the optimum into the optimum, by the primal active-set method.

    With some weights on their bounds the others are solved for exactly; a weight that
    would leave its bounds is put on them, and one whose gradient says so is let go.
    None where the optimum is not unique.
    """
    n = len(rows)
    scale = max(max(rows[i][i] for i in range(n)), 0.0)
    held = [x <= a or x >= b for x, a, b in zip(w, low, high)]
    out = list(w)
    for _ in range(4 * n):
        if all(held):
            return w
        solved = _free(rows, linear, out, held, total)
        if solved is None:
            return None
        moved, level = solved
        if _advance(out, moved, held, low, high):
            continue
        gradient = _multiply(rows, out)
        worst, at = 1e-13 * scale, -1
        for i in range(n):
            if not held[i] or low[i] == high[i]:
                continue
            pull = gradient[i] + linear[i] - level
            if out[i] <= low[i]:
                pull = -pull
            if pull > worst:
                worst, at = pull, i
        if at < 0:
            return out
        held[at] = False
    return w


def _free(rows, linear, w, held, total):
    """Solve for the weights that are not held: all of them, and the level of their gradients."""
    members = [i for i, h in enumerate(held) if not h]
    rest = total
    for i, x in enumerate(w):
        if held[i]:
            rest -= x
    factor = _cholesky([[rows[i][j] for j in members] for i in members])
    if factor is None:
        return None
    pulls = []
    for i in members:
        fixed = linear[i]
        for j, x in enumerate(w):
            if held[j]:
                fixed += rows[i][j] * x
        pulls.append(-fixed)
    pulls = _solve(factor, pulls)
    ones = _solve(factor, [1.0] * len(members))
    whole = _plain_sum(ones, 0.0)
    level = (rest - _plain_sum(pulls, 0.0)) / whole
    pulls = [p + level * o for p, o in zip(pulls, ones)]
    missing = (rest - _plain_sum(pulls, 0.0)) / whole  # rounding
    moved = list(w)
    for i, p, o in zip(members, pulls, ones):
        moved[i] = p + missing * o
    return moved, level


def _advance(w, moved, held, low, high):
    """Move w towards moved as far as the bounds allow; whether one stops it."""
    part, at, bound = 1.0, -1, 0.0
    for i, x in enumerate(w):
        step = moved[i] - x
        if held[i] or step == 0:
            continue
        limit = low[i] if step < 0 else high[i]
        reach = (limit - x) / step
        if reach < part:
            part, at, bound = max(reach, 0.0), i, limit
    if at < 0:
        w[:] = moved
        return False
    for i, x in enumerate(w):
        if not held[i]:
            w[i] = x + part * (moved[i] - x)
    w[at], held[at] = bound, True
    return True


def _cholesky(a):
    """The lower triangle whose product with its transpose is a; None where pivots are too small."""
    factor = []
    for i, row in enumerate(a):
        line = []
        for j in range(i + 1):
            rest = row[j]
            for k in range(j):
                rest -= line[k] * (factor[j][k] if j < i else line[k])
            if j < i:
                line.append(rest / factor[j][j])
            elif rest > 0 and rest >= _LEAST_PIVOT * row[j]:
                line.append(math.sqrt(rest))
            else:
                return None
        factor.append(line)
    return factor


def _solve(factor, b):
    """Solve the system of a factorised matrix."""
    y = []
    for row, v in zip(factor, b):
        for k, f in enumerate(row[:-1]):
            v -= f * y[k]
        y.append(v / row[-1])
    for i in range(len(y) - 1, -1, -1):
        for k in range(i + 1, len(y)):
            y[i] -= factor[k][i] * y[k]
        y[i] /= factor[i][i]
    return y


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
            rest = _dot(row[:i], x[:i]) + _dot(row[i + 1:], x[i + 1:])
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
