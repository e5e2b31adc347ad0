"""Least squares of one series by others, with Newey–West errors."""
import math
from operator import mul
from statistics import NormalDist

from columns import center, complete, dot

ALPHA = "alpha"  # the name of the constant
COLLINEAR = 1e-7  # what the others must leave of a factor, as a share of its deviation
MOSTLY_NEW = 0.5  # the length that a column keeps if it loses less than a digit to those before it
EXACT = 1e-12  # the residual deviation, as a share of the series', below which a fit is exact
WIDTH = NormalDist().inv_cdf(0.975)  # half the 95 % interval, in errors


class Coefficient:
    """The estimate for one factor, or for the constant."""

    def __init__(self, name, loading, error, inflation):
        self.name, self.loading, self.error, self.inflation = name, loading, error, inflation
        self.low, self.high = loading - WIDTH * error, loading + WIDTH * error
        self.t = self.p = math.nan
        if error > 0:
            self.t = loading / error
            self.p = math.erfc(abs(self.t) / math.sqrt(2))


class Regression:
    """A linear model: the coefficients, the constant first, and what describes the fit."""

    def __init__(self, coefficients, covariance, unexplained, n, lags):
        self.coefficients, self.covariance, self.n, self.lags = coefficients, covariance, n, lags
        self.r_squared = 1 - unexplained
        self.adjusted_r_squared = 1 - unexplained * (n - 1) / (n - len(coefficients))
        self.durbin_watson = self.breusch_pagan = self.breusch_pagan_p = math.nan

    def shock(self, moves):
        """Return what moves of factors, by name, do to the series, and the error of that."""
        factors = [c.name for c in self.coefficients[1:]]
        for name, move in moves.items():
            if name not in factors:
                raise ValueError("the shock moves %s, which is not a factor of the regression; its factors are %s" % (name, ", ".join(factors)))
            if not math.isfinite(move):
                raise ValueError("the shock moves %s by %s; it must be a finite fraction, such as -0.2" % (name, move))
        v = [0.0] + [moves.get(name, 0.0) for name in factors]
        impact = dot(v, [c.loading for c in self.coefficients])
        return impact, math.sqrt(max(0.0, dot(v, [dot(row, v) for row in self.covariance])))


def automatic_lags(n):
    """Return the lags of Newey and West 1994."""
    return math.floor(4 * (n / 100) ** (2 / 9))


def regress(y, x, lags=None):
    """Fit y by x over the rows that all have."""
    rows, _ = complete([y] + x)
    n, k = len(rows[0].values), len(x)
    if k == 0:
        raise ValueError("a regression needs at least one factor")
    if n < k + 2:
        raise ValueError("%s and its %d factors have %d rows in common; a regression on %d factors needs at least %d" % (y.name, k, n, k, k + 2))
    if lags is None:
        lags = automatic_lags(n)
    if not 0 <= lags < n:
        raise ValueError("lags is %d; with %d rows it must be from 0 to %d" % (lags, n, n - 1))
    design = Design(rows[1:])
    target, mean, norm = center(rows[0].values)
    if norm == 0:
        raise ValueError("%s is constant over the %d rows that it has in common with its factors, so nothing explains its changes" % (y.name, n))
    return design.fit(mean, norm, target, lags)


class Design:
    """Factors around their means and of length 1, with their orthogonal decomposition."""

    def __init__(self, columns):
        self.names = [c.name for c in columns]
        self.n, self.k = len(columns[0].values), len(columns)
        self.means, self.norms, self.columns, self.q = [], [], [], []
        self.r = [[0.0] * self.k for _ in columns]
        for j, c in enumerate(columns):
            unit, mean, norm = center(c.values)
            if norm == 0:
                raise ValueError("%s is constant over the %d rows in common, so its loading cannot be told from the constant" % (c.name, self.n))
            self.means.append(mean)
            self.norms.append(norm)
            self.columns.append(unit)
            q, left = self.orthogonal(unit, j)
            if left < MOSTLY_NEW:
                q, left = self.orthogonal(q, j)
            if left < COLLINEAR:
                raise ValueError(self.culprits(j))
            self.r[j][j] = left
            self.q.append([v / left for v in q])
        self.inverse = self.inverted()

    def orthogonal(self, q, j):
        """Return q without its parts along the columns before j, and the length of that."""
        for i in range(j):
            part = dot(self.q[i], q)
            self.r[i][j] += part
            q = [a - part * b for a, b in zip(q, self.q[i])]
        return q, math.sqrt(dot(q, q))

    def culprits(self, j):
        """Name the columns that make up column j."""
        parts = self.back([self.r[i][j] for i in range(j)])
        names = [self.names[i] for i, v in enumerate(parts) if abs(v) > 1e-6]
        return ("%s is a combination of %s, so their loadings cannot be told apart: leave one of them out" % (self.names[j], ", ".join(names)))

    def back(self, right):
        """Solve the triangular system of the first columns."""
        out = list(right)
        for i in range(len(out) - 1, -1, -1):
            for m in range(i + 1, len(out)):
                out[i] -= self.r[i][m] * out[m]
            out[i] /= self.r[i][i]
        return out

    def inverted(self):
        """Return the inverse of the products of the columns."""
        rows = list(zip(*[self.back([float(i == j) for i in range(self.k)]) for j in range(self.k)]))
        return [[dot(a, b) for b in rows] for a in rows]

    def solve(self, target):
        """Return the coefficients of a target on the columns."""
        return self.back([dot(q, target) for q in self.q])

    def residuals(self, target, coefficients):
        """Return what the coefficients leave of a target."""
        for c, column in zip(coefficients, self.columns):
            target = [a - c * b for a, b in zip(target, column)]
        return target

    def fit(self, mean, norm, target, lags):
        """Regress a target of length 1, which had a mean and a length."""
        unit = self.solve(target)
        residuals = self.residuals(target, unit)
        unexplained = dot(residuals, residuals)
        exact = math.sqrt(unexplained) < EXACT
        covariance = [[0.0] * (self.k + 1) for _ in range(self.k + 1)]
        if not exact:
            covariance = [[v * norm * norm for v in row] for row in self.covariance(residuals, lags)]
        loadings = [u * norm / own for u, own in zip(unit, self.norms)]
        constant = mean - dot(loadings, self.means)
        error = [math.sqrt(max(0.0, covariance[i][i])) for i in range(self.k + 1)]
        coefficients = [Coefficient(ALPHA, constant, error[0], math.nan)]
        for j, name in enumerate(self.names):
            coefficients.append(Coefficient(name, loadings[j], error[j + 1], self.inverse[j][j]))
        out = Regression(coefficients, covariance, 0.0 if exact else unexplained, self.n, lags)
        if not exact:
            steps = [b - a for a, b in zip(residuals, residuals[1:])]
            out.durbin_watson = dot(steps, steps) / unexplained
            out.breusch_pagan, out.breusch_pagan_p = self.heteroscedastic(residuals)
        return out

    def covariance(self, residuals, lags):
        """Return the Newey–West covariance of the constant and the loadings on the original factors."""
        wide = self.k + 1
        half = [[0.0] * wide for _ in range(wide)]
        half[0][0] = 1 / math.sqrt(self.n)
        for i in range(self.k):
            for j in range(self.k):
                loading = self.inverse[i][j] / self.norms[i]
                half[i + 1][j + 1] = loading
                half[0][j + 1] -= self.means[i] * loading
        meat = self.meat(residuals, lags)
        left = [[dot(row, column) for column in meat] for row in half]
        return [[dot(row, other) for other in half] for row in left]

    def meat(self, residuals, lags):
        """Return the sum of the scores' autocovariances with Bartlett weights.

        It is the mean, over all windows of lags + 1 rows that overlap the data, of the
        products of the windows' sums.
        """
        span = lags + 1
        sums = [window_sums([e / math.sqrt(self.n) for e in residuals], span)]
        sums += [window_sums(list(map(mul, residuals, c)), span) for c in self.columns]
        return [[dot(a, b) / span for b in sums] for a in sums]

    def heteroscedastic(self, residuals):
        """Return Koenker's form of the Breusch–Pagan statistic and its probability."""
        squares, _, norm = center([e * e for e in residuals])
        if norm == 0:
            return math.nan, math.nan
        left = self.residuals(squares, self.solve(squares))
        statistic = self.n * (1 - dot(left, left))
        return statistic, chi_squared_beyond(statistic, self.k)


def window_sums(x, span):
    """Return the sums of all windows of span values that overlap x."""
    out, total = [], 0.0
    for t, v in enumerate(x):
        total += v - (x[t - span] if t >= span else 0.0)
        out.append(total)
    tail, total = [], 0.0
    for v in reversed(x[len(x) - span + 1:]):
        total += v
        tail.append(total)
    return out + tail[::-1]


def chi_squared_beyond(x, degrees):
    """Return the probability of more than x under the χ² distribution."""
    if x <= 0:
        return 1.0
    half, total = x / 2, 0.0
    if degrees % 2 == 0:
        term = math.exp(-half)
        for i in range(degrees // 2):
            total += term
            term *= half / (i + 1)
        return total
    term = math.exp(-half) * math.sqrt(half) / math.gamma(1.5)
    for i in range(degrees // 2):
        total += term
        term *= half / (i + 1.5)
    return math.erfc(math.sqrt(half)) + total
