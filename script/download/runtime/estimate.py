"""Estimates of covariances and expected returns, per bar, from columns of returns."""
import math

from matrix import _centred, _level, _products, _shrunk, _square
from vector import _constant, _dot, _mean


def _estimated(columns, estimator, halflife):
    """The rows of the covariance matrix."""
    if estimator == "sample":
        return _shrunk(columns, 0)
    if estimator == "ledoit_wolf":
        return _shrunk(columns, "ledoit_wolf")
    if estimator == "oas":
        return _shrunk(columns, _oas(_products(_centred(columns), 0), len(columns[0])))
    if estimator == "exponential":
        return _exponential(columns, halflife)
    return _single_index(_centred(columns))


def _oas(rows, bars):
    """The shrinkage of Chen, Wiesel, Eldar and Hero (2010), as scikit-learn computes it."""
    n = len(rows)
    level = _level(rows)
    alpha = _square(rows) / (n * n)
    under = (bars + 1) * (alpha - level * level / n)
    return 1.0 if under <= 0 else min((alpha + level * level) / under, 1.0)


def _fading(bars, halflife):
    """Weights that add up to 1 and halve with each half-life back in time."""
    weights = [2 ** (-(bars - 1 - t) / halflife) for t in range(bars)]
    total = math.fsum(weights)
    return [w / total for w in weights]


def _exponential(columns, halflife):
    weights = _fading(len(columns[0]), halflife)
    centred = []
    for column in columns:
        level = _dot(weights, column)
        still = _constant(column)
        centred.append([0.0 if still else math.sqrt(w) * (x - level) for w, x in zip(weights, column)])
    by = 1 - _dot(weights, weights)
    return [[_dot(x, y) / by for y in centred] for x in centred]


def _single_index(centred):
    """Covariances that come only from the betas to the mean of all members; the variances are the sample's."""
    n, by = len(centred), len(centred[0]) - 1
    market = [math.fsum(bar) / n for bar in zip(*centred)]
    variance = _dot(market, market) / by
    common = [_dot(column, market) / by for column in centred]
    rows = [[a * b / variance if variance > 0 else 0.0 for b in common] for a in common]
    for i, column in enumerate(centred):
        rows[i][i] = _dot(column, column) / by
    return rows


def _expected_returns(columns, definition, rows, market, riskless):
    """The mean return of each member, by the estimator of the definition."""
    e = definition["expected"]
    columns = [column[-e["lookback"]:] for column in columns] if e.get("lookback") else columns
    if e["estimator"] == "exponential":
        weights = _fading(len(columns[0]), e["halflife"])
        return [_dot(weights, column) for column in columns]
    if e["estimator"] == "implied":
        return [definition["risk_aversion"] * _dot(row, market) + riskless for row in rows]
    return [_mean(column) for column in columns]
