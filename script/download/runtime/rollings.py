"""Regressions, and return, volatility and beta, over each window of rows."""
import math
from operator import add, mul

from columns import center, complete

FLAT_WINDOW = 1e-12  # the variance of a window, as a share of its squares, that is rounding
COLLINEAR_WINDOW = 1e-10  # what collinear factors leave of a factor's variance


class Windows:
    """The sums of values and of products over windows of rows.

    They are added from the end of one block of rows and the start of the next, never
    subtracted (van Herk 1992).
    """

    def __init__(self, columns, size):
        self.rows = list(zip(*[c.values for c in columns]))
        self.size = size
        self.fill(0)

    def products(self, t):
        """Return the values of a row, then their products."""
        row = self.rows[t]
        return list(row) + [a * b for i, a in enumerate(row) for b in row[i:]]

    def fill(self, first):
        """Add up the ends of the block of rows that begins at first."""
        sums = self.products(first + self.size - 1)
        self.ends = [sums]
        for t in range(first + self.size - 2, first - 1, -1):
            sums = list(map(add, self.products(t), sums))
            self.ends.append(sums)
        self.ends.reverse()
        self.start = [0.0] * len(sums)

    def at(self, end):
        """Return the sums of the window that ends with a row; it is called for each in turn."""
        into = (end + 1) % self.size
        if into == 0:
            if end >= self.size:
                self.fill(end + 1 - self.size)
            return self.ends[0]
        self.start = list(map(add, self.start, self.products(end)))
        return list(map(add, self.ends[into], self.start))


def rolling_regression(y, x, window):
    """Regress over each window of complete rows; return the rows that end them and, for each, alpha, loadings and R², or None."""
    k = len(x)
    if window < k + 2:
        raise ValueError("the window is %d rows; a regression on %d factors needs at least %d" % (window, k, k + 2))
    rows, kept = complete(x + [y])
    if len(kept) < window:
        return [], []
    means, norms = [], []
    for c in rows:
        c.values, mean, norm = center(c.values)
        means.append(mean)
        norms.append(norm or 1.0)
    sums, fits = Windows(rows, window), []
    for end in range(window - 1, len(kept)):
        fit = solved(sums.at(end), k + 1, window)
        if fit is not None:
            loadings, r_squared, mean = fit
            loadings = [b * norms[k] / own for b, own in zip(loadings, norms)]
            alpha = means[k] + norms[k] * mean[k]
            for j, b in enumerate(loadings):
                alpha -= b * (means[j] + norms[j] * mean[j])
            fit = alpha, loadings, r_squared
        fits.append(fit)
    return kept[window - 1:], fits


def solved(sums, k, n):
    """Solve the normal equations of a window of k columns, the target last; None without a solution."""
    mean = [s / n for s in sums[:k]]
    matrix = [[0.0] * k for _ in range(k)]
    at = k
    for i in range(k):
        for j in range(i, k):
            matrix[j][i] = sums[at] - n * mean[i] * mean[j]
            if i == j and not matrix[i][i] > FLAT_WINDOW * sums[at]:
                return None
            at += 1
    total = matrix[-1][-1]
    for j in range(k - 1):
        variance = matrix[j][j]
        pivot = variance - sum(v * v for v in matrix[j][:j])
        if pivot <= COLLINEAR_WINDOW * variance:
            return None
        matrix[j][j] = pivot = math.sqrt(pivot)
        for i in range(j + 1, k):
            matrix[i][j] = (matrix[i][j] - sum(map(mul, matrix[i][:j], matrix[j][:j]))) / pivot
    last, loadings = matrix[-1][:-1], [0.0] * (k - 1)
    for j in range(k - 2, -1, -1):
        v = last[j] - sum(matrix[m][j] * loadings[m] for m in range(j + 1, k - 1))
        loadings[j] = v / matrix[j][j]
    return loadings, min(1.0, sum(v * v for v in last) / total), mean


def rolling_performance(column, benchmark, window, per_year):
    """Return the rows that end the windows of complete rows, and return, volatility and beta in each, a year."""
    rows, kept = complete([column] + ([benchmark] if benchmark else []))
    out = [], [], []
    if len(kept) < window:
        return [], out
    logs, ruins = [0.0], [0]
    for r in rows[0].values:
        logs.append(logs[-1] + (math.log1p(r) if r > -1 else 0.0))
        ruins.append(ruins[-1] + (r <= -1))
    windows, k, n = Windows(rows, window), len(rows), window
    for end in range(window - 1, len(kept)):
        s, first = windows.at(end), end + 1 - window
        grown = -math.inf if ruins[end + 1] > ruins[first] else logs[end + 1] - logs[first]
        out[0].append(math.expm1(grown * per_year / n))
        variance = s[k] - s[0] * s[0] / n
        out[1].append(math.sqrt((variance if variance > FLAT_WINDOW * s[k] else 0.0) / (n - 1) * per_year))
        if benchmark:
            spread = s[k + 2] - s[1] * s[1] / n
            out[2].append((s[k + 1] - s[0] * s[1] / n) / spread if spread > FLAT_WINDOW * s[k + 2] else math.nan)
    return kept[window - 1:], out
