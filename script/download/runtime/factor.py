"""Symmetric systems of equations, by Cholesky's factors."""
import math


def _cholesky(a, least=0.0):
    """The lower triangle whose product with its transpose is a; None where a pivot is at most least times its diagonal."""
    factor = []
    for i, row in enumerate(a):
        line = []
        for j in range(i + 1):
            rest = row[j]
            for k in range(j):
                rest -= line[k] * (factor[j][k] if j < i else line[k])
            if j < i:
                line.append(rest / factor[j][j])
            elif rest > 0 and rest >= least * row[j] and math.isfinite(rest):
                line.append(math.sqrt(rest))
            else:
                return None
        factor.append(line)
    return factor


def _forward(factor, b):
    """Solve the system of the lower triangle."""
    y = []
    for row, v in zip(factor, b):
        for k, f in enumerate(row[:-1]):
            v -= f * y[k]
        y.append(v / row[-1])
    return y


def _solve(factor, b):
    """Solve the system of a factorised matrix."""
    y = _forward(factor, b)
    for i in range(len(y) - 1, -1, -1):
        for k in range(i + 1, len(y)):
            y[i] -= factor[k][i] * y[k]
        y[i] /= factor[i][i]
    return y


def _eliminate(a, b):
    """Solve a small dense system; None where it has no single solution."""
    a = [row[:] + [v] for row, v in zip(a, b)]
    n = len(a)
    for c in range(n):
        best = max(range(c, n), key=lambda r: abs(a[r][c]))
        if a[best][c] == 0:
            return None
        a[c], a[best] = a[best], a[c]
        for r in range(c + 1, n):
            f = a[r][c] / a[c][c]
            for k in range(c, n + 1):
                a[r][k] -= f * a[c][k]
    x = [0.0] * n
    for c in range(n - 1, -1, -1):
        x[c] = (a[c][n] - sum(a[c][k] * x[k] for k in range(c + 1, n))) / a[c][c]
    return x
