"""Tails of returns, and drawdowns of several series together."""
import math
from statistics import NormalDist

from columns import center, complete
from drawdowns import _spells
from measures import _equity

HISTORICAL, CORNISH_FISHER, GENERALISED_PARETO = "historical", "cornish_fisher", "generalised_pareto"
PARETO_LEVEL = 0.9  # the quantile of the losses at which the Pareto tail begins
LEAST_EXCEEDING = 20  # losses beyond it that a fit needs
LEAST_SHAPE = -0.5  # below it, maximum likelihood has no usual properties
LEAST_MOMENTS = 20  # returns that skewness and kurtosis need
FARTHEST = -10.0  # deviations; the normal distribution has nothing beyond it that counts
NEAR_ZERO = 1e-5  # below it, quotients lose so many digits that their series are better
NONE = math.nan, math.nan


def tails_of(column, level):
    """Return method, value at risk and expected shortfall by each method; losses are positive."""
    ordered = sorted(complete([column])[0][0].values)
    methods = ((HISTORICAL, historical), (CORNISH_FISHER, cornish_fisher), (GENERALISED_PARETO, generalised_pareto))
    return [(name,) + method(ordered, level) for name, method in methods]


def percentile_of(ordered, p):
    """Interpolate linearly between order statistics."""
    at = p * (len(ordered) - 1)
    k = int(at)
    if k + 1 >= len(ordered):
        return ordered[-1]
    return ordered[k] + (at - k) * (ordered[k + 1] - ordered[k])


def historical(ordered, level):
    """Return the percentile, and the mean of the worst returns."""
    n = len(ordered)
    if n < 2:
        return NONE
    worst = ordered[:int((1 - level) * (n - 1)) + 1]
    return -percentile_of(ordered, 1 - level), -sum(worst) / len(worst)


def cornish_fisher(ordered, level):
    """Return the quantile of a normal distribution corrected for skewness and kurtosis, and its integral (Maillard 2012)."""
    n = len(ordered)
    if n < LEAST_MOMENTS:
        return NONE
    x, mean, norm = center(ordered)
    if norm == 0:
        return NONE
    deviation = norm / math.sqrt(n)
    skew, excess = sum(v * v * v for v in x) * math.sqrt(n), sum(v * v * v * v for v in x) * n - 3
    z = NormalDist().inv_cdf(1 - level)

    def slope(z):
        return 1 + skew / 3 * z + excess / 8 * (z * z - 1) - skew * skew / 36 * (6 * z * z - 5)

    square, vertex = excess / 8 - skew * skew / 6, z
    if square != 0:
        vertex = min(z, max(FARTHEST, -skew / (6 * square)))
    if min(slope(z), slope(vertex), slope(FARTHEST)) < 0:
        return NONE
    quantile = z + skew / 6 * (z * z - 1) + excess / 24 * (z * z * z - 3 * z) - skew * skew / 36 * (2 * z * z * z - 5 * z)
    shortfall = NormalDist().pdf(z) / (1 - level) * (1 + skew / 6 * z + excess / 24 * (z * z - 1) - skew * skew / 36 * (2 * (z * z - 1) + 1))
    return -mean - deviation * quantile, -mean + deviation * shortfall


def generalised_pareto(ordered, level):
    """Return the tail of a generalised Pareto distribution fitted to the losses beyond a threshold."""
    if level <= PARETO_LEVEL or not ordered:
        return NONE
    threshold = -percentile_of(ordered, 1 - PARETO_LEVEL)
    beyond = [-v - threshold for v in reversed(ordered) if -v > threshold]
    if len(beyond) < LEAST_EXCEEDING:
        return NONE
    fit = Likelihood(beyond).best()
    odds = len(ordered) / len(beyond) * (1 - level)
    if fit is None or odds >= 1:
        return NONE
    shape, scale = fit
    value = threshold - scale * math.log(odds)
    if shape != 0:
        value = threshold + scale / shape * math.expm1(-shape * math.log(odds))
    return value, (value + scale - shape * threshold) / (1 - shape) if shape < 1 else math.nan


class Likelihood:
    """The likelihood of excesses, ascending, as a function of theta, the ratio of shape to scale (Grimshaw 1993)."""

    def __init__(self, excesses):
        n = len(excesses)
        self.mean = sum(excesses) / n
        self.values = [v / self.mean for v in excesses]
        self.second = sum(v * v for v in self.values) / n
        self.third = sum(v * v * v for v in self.values) / n

    def best(self):
        """Return shape and scale of the greatest likelihood, or None."""
        if self.slope(0.0) > 0:
            low, high = 0.0, 1e-3
            while self.slope(high) > 0:
                low, high = high, 2 * high
        else:
            end, high, part = -1 / self.values[-1], 0.0, 1e-3
            while True:
                low = end * part
                if part == 1 or self.shape(low) < LEAST_SHAPE:
                    return None
                if self.slope(low) > 0:
                    break
                high, part = low, (part + 1) / 2
        while True:
            middle = low + (high - low) / 2
            if middle in (low, high):
                return self.shape(low), self.mean * self.ratio(low)
            if self.slope(middle) > 0:
                low = middle
            else:
                high = middle

    def shape(self, theta):
        """Return the best shape."""
        return sum(math.log1p(theta * v) for v in self.values) / len(self.values)

    def ratio(self, theta):
        """Return the best scale, in means."""
        if abs(theta) < NEAR_ZERO:
            return 1 - theta * self.second / 2 + theta * theta * self.third / 3
        return self.shape(theta) / theta

    def slope(self, theta):
        """Return the derivative of the mean log-likelihood."""
        if abs(theta) < NEAR_ZERO:
            return self.second / 2 - 1 + theta * (self.second + self.second * self.second / 4 - 2 * self.third / 3)
        change = sum(v / (1 + theta * v) for v in self.values) / len(self.values)
        return 1 / theta - change / self.shape(theta) - change


def co_drawdowns(columns):
    """Return the deepest drawdown of each column over complete rows: depth, peak, valley, and what each column did in it.

    Peak and valley are rows at whose close they are; -1 is the close before the first.
    What a column did is its return and its deepest fall from a high.
    """
    rows, kept = complete(columns)
    for c in rows:
        for t, r in zip(kept, c.values):
            if r < -1:
                raise ValueError("%s loses more than everything in row %d, so its drawdowns cannot be told" % (c.name, t))
    equity = [_equity(c.values) for c in rows]
    closes, out = [-1] + kept, []
    for own in equity:
        worst = None
        for spell in _spells(own):
            if worst is None or spell["depth"] < worst["depth"]:
                worst = spell
        if worst is None:
            out.append((0.0, -1, -1, [NONE] * len(rows)))
        else:
            peak, valley = worst["peak"], worst["valley"]
            out.append((worst["depth"], closes[peak], closes[valley], [between(e, peak, valley) for e in equity]))
    return out


def between(equity, first, last):
    """Return the return and the deepest fall from one position to a later one."""
    if equity[first] == 0:
        return NONE
    high, deepest = equity[first], 0.0
    for v in equity[first:last + 1]:
        high = max(high, v)
        deepest = min(deepest, v / high - 1)
    return equity[last] / equity[first] - 1, deepest
