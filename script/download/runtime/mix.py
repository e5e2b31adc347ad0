"""Sharpe's style analysis: the mix of indices that behaves like a series."""
import math

from columns import Column, center, complete, dot
from factor import _cholesky, _solve
from quadratic import _least_variance

MOST_CONDITION = 1e13


def style_of(y, x):
    """Return the weights of the indices with the least variance of the difference, R² and the number of rows."""
    rows, _ = complete([y] + x)
    n, k = len(rows[0].values), len(x)
    if n < k + 1:
        raise ValueError("%s and its %d indices have %d rows in common; a style of %d indices needs at least %d" % (y.name, k, n, k, k + 1))
    target, _, norm = center(rows[0].values)
    if norm == 0:
        raise ValueError("%s is constant over the %d rows in common, so it has no style" % (y.name, n))
    units = []
    for c in rows[1:]:
        unit, _, own = center(c.values)
        units.append([v * own / norm for v in unit] if own else [0.0] * n)
    linear = [dot(target, u) for u in units]
    matrix = determined([[dot(a, b) for b in units] for a in units], x)
    weights = _least_variance(matrix, [-c for c in linear], [0.0] * k, [1.0] * k, [(list(range(k)), 1.0, 1.0)])
    error = list(target)
    for w, u in zip(weights, units):
        error = [e - w * v for e, v in zip(error, u)]
    return weights, 1 - dot(error, error), n


def determined(matrix, x):
    """Add to all elements what changes no mix and makes the matrix positive definite, or name the indices that stand for each other."""
    k = len(matrix)
    shift = sum(matrix[i][i] for i in range(k)) / k
    if shift == 0:
        if k > 1:
            raise ValueError("%s and %s are both constant over the rows in common: leave one of them out" % (x[0].name, x[1].name))
        shift = 1.0
    matrix = [[v + shift for v in row] for row in matrix]
    for size in range(2, k + 1):
        part = [row[:size] for row in matrix[:size]]
        if condition(part) >= MOST_CONDITION:
            raise ValueError("a mix of %s moves as %s does, so their weights cannot be told apart: leave one of them out"
                             % (", ".join(c.name for c in x[:size - 1]), x[size - 1].name))
    return matrix


def condition(a):
    """Return the condition number of a symmetric matrix; infinite if it is not positive definite."""
    factor = _cholesky(a)
    if factor is None:
        return math.inf
    inverse = [_solve(factor, [float(i == j) for i in range(len(a))]) for j in range(len(a))]
    return max(sum(map(abs, row)) for row in a) * max(sum(map(abs, row)) for row in inverse)


def rolling_style(y, x, window):
    """Return the rows that end the windows of complete rows, and the style of each; None where there is none."""
    if window < len(x) + 1:
        raise ValueError("the window is %d rows; a style of %d indices needs at least %d" % (window, len(x), len(x) + 1))
    rows, kept = complete([y] + x)
    styles = []
    for first in range(len(kept) - window + 1):
        cut = [Column(c.name, c.values[first:first + window]) for c in rows]
        try:
            styles.append(style_of(cut[0], cut[1:]))
        except ValueError:
            styles.append(None)
    return kept[window - 1:], styles
