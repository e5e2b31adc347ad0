"""Optimizers: the weights of a definition under a name."""
import json

from arguments import _numbers, _panel, _refuse
from dual import _Clash
from estimate import _estimated, _expected_returns
from hierarchy import _hierarchical
from optimize import _described, _solved
from parity import _NoParity, _risk_parity
from quadratic import _least_variance
from vector import _plain_sum, _short

_RULES = {}  # definitions by upper-case name
_BARS = [252]  # a year
_ROUNDING = 1e-9  # by which bounds may miss the total


class _Unsolved(Exception):
    """No weights: limits that contradict one another, or the data."""


def set_optimizers(definitions):
    """Record the definitions of the script's optimizers, in JSON by name."""
    for name, text in definitions.items():
        _RULES[name.upper()] = (name, json.loads(text))


def set_bars_per_year(bars):
    """Record how many bars a year has."""
    _BARS[0] = bars


def optimize(name, panel, current=None):
    """The weights of the optimizer with this name for the members of a panel of returns."""
    if name.upper() not in _RULES:
        _refuse("optimize", 'there is no optimizer "%s"', name)
    name, definition = _RULES[name.upper()]
    panel = _panel("optimize", "panel", panel)
    held = {} if current is None else _numbers("optimize", "current", current)
    symbols = list(panel)
    given = definition["bounds"] or {}
    bounds = [given.get(s, given.get("default", (0.0, 1.0))) for s in symbols]

    def solve(function, low, high, total):
        try:
            return _weights(definition, symbols, list(panel.values()), low, high, total)
        except _Unsolved as problem:
            if definition["fallback"] == "hold":
                return [held.get(s, 0.0) for s in symbols]
            if definition["fallback"] == "equal_weight":
                return [1 / len(symbols)] * len(symbols)
            _refuse(function, "%s has no answer: %s", name, problem)
    return _solved("optimize", symbols, ([float(a) for a, _ in bounds], [float(b) for _, b in bounds], 1.0), solve)


def _weights(definition, symbols, columns, low, high, total):
    estimator = definition["covariance"]
    recent = [column[-estimator["lookback"]:] for column in columns]
    bars, objective = len(recent[0]), definition["objective"]
    if bars < 2:
        raise _Unsolved("the panel has %d bars; a covariance needs at least 2" % bars)
    if estimator["estimator"] == "sample" and bars < len(symbols) and objective != "hrp":
        raise _Unsolved("%d bars do not determine the weights of %d members; use a longer lookback, or the estimator ledoit_wolf" % (bars, len(symbols)))
    rows = _estimated(recent, estimator["estimator"], estimator.get("halflife"))
    for i, s in enumerate(symbols):
        if not rows[i][i] > 0:
            raise _Unsolved("%s does not move in the last %d bars, so its risk is not known; leave it out" % (s, bars))
    sums = []
    try:
        if objective == "risk_parity":
            budget = _budget(definition["budget"], symbols, high)
            _reachable(low, high, total)
            return _risk_parity(rows, budget, low, high, total)
        if objective == "hrp":
            _reachable(low, high, total)
            return _hierarchical(rows, low, high, total)
        linear = [0.0] * len(symbols)
        if objective == "mean_variance":
            means = _expected_returns(columns, definition, rows, _market(definition, symbols), definition["riskless"] / _BARS[0])
            linear = [-m / definition["risk_aversion"] for m in means]
        sums = _sums(definition["groups"] or [], symbols)
        return _least_variance(rows, linear, low, high, [(range(len(rows)), total, total)] + sums)
    except _Clash as clash:
        raise _Unsolved("no weights satisfy all limits. These contradict one another: %s. Relax one of them"
                        % "; ".join(_described(clash.limits, symbols, low, high, total, sums)))
    except _NoParity:
        raise _Unsolved("no weights that share risk as asked were found; the matrix may not be a covariance")
    except ValueError as problem:
        raise _Unsolved(str(problem))


def _budget(given, symbols, high):
    """The shares of risk, which add up to 1."""
    shares = []
    for s, b in zip(symbols, high):
        if given and s not in given:
            raise _Unsolved("budget has no %s" % s)
        if not b > 0:
            raise _Unsolved("the upper bound of %s is %s; a weight that shares risk is above 0" % (s, _short(b)))
        shares.append(given[s] if given else 1.0)
    total = _plain_sum(shares, 0.0)
    return [share / total for share in shares]


def _reachable(low, high, total):
    """Raise _Clash if weights within the bounds cannot add up to total."""
    above = _plain_sum(low, 0.0) > total + _ROUNDING
    if above or _plain_sum(high, 0.0) < total - _ROUNDING:
        raise _Clash([(0, 0, False)] + [(-1, i, not above) for i in range(len(low))])


def _market(definition, symbols):
    """The market's weights of the symbols, which add up to 1; None if the estimate needs none."""
    if definition["expected"]["estimator"] != "implied":
        return None
    weights = [definition["market"].get(s, 0.0) for s in symbols]
    total = _plain_sum(weights, 0.0)
    if not total > 0:
        raise _Unsolved("market has no weight above 0 for a member of the panel")
    return [w / total for w in weights]


def _sums(groups, symbols):
    """The groups: members as positions, and the least and most that they may hold."""
    place = {s: i for i, s in enumerate(symbols)}
    return [
        ([place[s] for s in g.get("members") or [] if s in place], g.get("min", -float("inf")), g.get("max", float("inf")))
        for g in groups
    ]
