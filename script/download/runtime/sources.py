"""Sources of returns: each gives every path its months."""
import math
from statistics import NormalDist

from blocklength import used_length
from philox import Philox
from vector import _covariance_of, _mean, _plain_sum

LEAST_FREEDOM, MOST_FREEDOM = 4, 30
LEAST_INFLATION = -0.5  # of a month


def source_of(plan, lengths):
    """Return the plan's source; lengths are the best block lengths of its own returns."""
    count = len(plan.months.ends)
    block = plan.block
    if plan.source == "stationary":
        return Stationary(plan, count, block or used_length(lengths[0]))
    if plan.source == "circular":
        return Circular(plan, count, max(rounded(block or used_length(lengths[1])), 1))
    if plan.source == "independent":
        return Circular(plan, count, 1)
    if plan.source == "history":
        return History(plan)
    return Fitted(plan)


def rounded(x):
    """Round halves away from zero."""
    return math.floor(x) + (1 if x - math.floor(x) >= 0.5 else 0)


class Stationary:
    """Blocks of a geometric length, which go round from the last month to the first (Politis and Romano 1994)."""

    past = True

    def __init__(self, plan, count, block):
        self.count = count
        self.chance = 1 / block  # of a new block
        self.block = 1 / self.chance
        self.numbers = Philox(plan.seed, plan.horizon)

    def months(self, path):
        """Return the numbers of a path's months. Where a number says that a block begins, the rest of it says where."""
        count, chance = self.count, self.chance
        picked = []
        month = -1
        for u in self.numbers.uniforms(path):
            if month < 0:
                month = min(int(u * count), count - 1)
            elif u < chance:
                month = min(int(u / chance * count), count - 1)
            elif month == count - 1:
                month = 0
            else:
                month += 1
            picked.append(month)
        return picked


class Circular:
    """Blocks of one length, which go round from the last month to the first."""

    past = True

    def __init__(self, plan, count, length):
        self.count = count
        self.block = float(length)
        self.length = length
        self.horizon = plan.horizon
        self.numbers = Philox(plan.seed, -(-plan.horizon // length))

    def months(self, path):
        """Return the numbers of a path's months."""
        count = self.count
        begins = [min(int(u * count), count - 1) for u in self.numbers.uniforms(path)]
        if self.length == 1:
            return begins
        return [(begin + i) % count for begin in begins for i in range(self.length)][:self.horizon]


class History:
    """What has happened: path n begins with month n."""

    past = True
    block = 0.0

    def __init__(self, plan):
        self.horizon = plan.horizon

    def months(self, path):
        """Return the numbers of a path's months."""
        return list(range(path, path + self.horizon))


class Fitted:
    """A normal distribution with the months' means and covariances, or a Student t with the same."""

    past = False
    block = 0.0

    def __init__(self, plan):
        columns = list(plan.months.returns)
        self.least = [-1.0] * len(columns)
        if plan.months.inflation is not None:
            columns.append(plan.months.inflation)
            self.least.append(LEAST_INFLATION)
        self.means = [_mean(c) for c in columns]
        self.factor = factorize([[_covariance_of(x, y) for y in columns] for x in columns])
        self.freedom = freedom(plan.own_months()) if plan.source == "student_t" else 0
        self.each = len(columns) + self.freedom // 2  # numbers that a month uses
        self.numbers = Philox(plan.seed, plan.horizon * self.each)

    def rows(self, path):
        """Return the returns of a path's months by member, followed by inflation where that is drawn."""
        quantile = NormalDist().inv_cdf
        k, each, means = len(self.means), self.each, self.means
        # Numbers are moved off 0, where a quantile is infinite.
        numbers = [u + 2.0**-54 for u in self.numbers.uniforms(path)]
        rows = []
        scale = 1.0
        for at in range(0, len(numbers), each):
            if self.freedom:
                product = math.prod(numbers[at + k:at + each])
                scale = math.sqrt((self.freedom - 2) / (-2 * math.log(product)))  # over a chi-squared
            z = [quantile(u) for u in numbers[at:at + k]]
            row = []
            for mean, line, least in zip(means, self.factor, self.least):
                v = 0.0
                for f, x in zip(line, z):
                    v += f * x
                row.append(max(mean + scale * v, least))
            rows.append(row)
        return rows


def factorize(a):
    """Return the lower triangle whose product with its transpose is a covariance matrix (Cholesky).

    A column that those before it explain gets zeros, so that members which move
    together are no error.
    """
    lines = []
    for i, row in enumerate(a):
        line = []
        for j in range(i + 1):
            total = row[j]
            for k in range(j):
                total -= line[k] * (lines[j][k] if j < i else line[k])
            if i == j:
                line.append(math.sqrt(total) if total > 1e-14 * row[i] else 0.0)
            else:
                line.append(total / lines[j][j] if lines[j][j] > 0 else 0.0)
        lines.append(line)
    return lines


def freedom(x):
    """Return the even number of degrees of freedom whose excess kurtosis, 6/(n - 4), is nearest to that of x."""
    mean = _mean(x)
    squares = [(v - mean) * (v - mean) for v in x]
    second, fourth = _plain_sum(squares, 0.0), _plain_sum([q * q for q in squares], 0.0)
    excess = len(x) * fourth / (second * second) - 3 if second > 0 else 0.0
    if not excess > 0:
        return MOST_FREEDOM
    return min(max(2 * rounded((4 + 6 / excess) / 2), LEAST_FREEDOM), MOST_FREEDOM)
