"""How series move together: correlations, their order by clusters, and principal components."""
import math

from columns import Column, center, complete, dot

LEAST_PAIRS = 3  # two points always lie on a line


def ranks(x):
    """Return the rank of each value, from 1; equal values get the mean of theirs."""
    order = sorted(range(len(x)), key=lambda i: x[i])
    out = [0.0] * len(x)
    first = 0
    while first < len(order):
        last = first + 1
        while last < len(order) and x[order[last]] == x[order[first]]:
            last += 1
        for i in order[first:last]:
            out[i] = (first + last + 1) / 2
        first = last
    return out


def unit_of(x, method):
    """Return values, or their ranks, around their mean and of length 1; None if they are constant."""
    unit, _, norm = center(ranks(x) if method == "spearman" else x)
    return unit if norm else None


def correlate(columns, method):
    """Return the correlation of each pair over the rows that both have, and the number of those rows."""
    m, n = len(columns), len(columns[0].values)
    gaps, units = [], []
    for c in columns:
        if any(map(math.isinf, c.values)):
            raise ValueError("%s has an infinite value in row %d" % (c.name, list(map(math.isinf, c.values)).index(True)))
        gaps.append(any(v != v for v in c.values))
        units.append(None if gaps[-1] else unit_of(c.values, method))
    values, counts = [[math.nan] * m for _ in columns], [[n] * m for _ in columns]
    for i in range(m):
        for j in range(i + 1):
            if gaps[i] or gaps[j]:
                a, b = complete([Column("", columns[i].values), Column("", columns[j].values)])[0]
                count, x, y = len(a.values), unit_of(a.values, method), unit_of(b.values, method)
            else:
                count, x, y = n, units[i], units[j]
            counts[i][j] = counts[j][i] = count
            if count >= LEAST_PAIRS and x and y:
                values[i][j] = values[j][i] = 1.0 if i == j and not gaps[i] else min(1.0, max(-1.0, dot(x, y)))
    return values, counts


def cluster_order(values):
    """Return an order in which similar series are neighbours: the leaves of a tree by average linkage."""
    n = len(values)
    distance = [[math.sqrt((1 - (0.0 if v != v else v)) / 2) for v in row] for row in values]
    leaves = [[i] for i in range(n)]
    for _ in range(n - 1):
        live = [i for i in range(n) if leaves[i] is not None]
        _, a, b = min((distance[i][j], i, j) for i in live for j in live if i < j)
        sizes = len(leaves[a]), len(leaves[b])
        for j in live:
            if j not in (a, b):
                d = (sizes[0] * distance[a][j] + sizes[1] * distance[b][j]) / (sizes[0] + sizes[1])
                distance[a][j] = distance[j][a] = d
        leaves[a], leaves[b] = leaves[a] + leaves[b], None
    return [i for group in leaves if group is not None for i in group]


def components_of(columns):
    """Return the principal components of the correlation, largest first: eigenvalue and loadings of each."""
    rows, kept = complete(columns)
    k, n = len(rows), len(kept)
    if k < 2:
        raise ValueError("components need at least two series")
    if n < k + 1:
        raise ValueError("%d series have %d rows in common; their components need at least %d" % (k, n, k + 1))
    units = [unit_of(c.values, "pearson") for c in rows]
    if None in units:
        raise ValueError("%s is constant over the %d rows in common, so it has no correlation" % (rows[units.index(None)].name, n))
    matrix = [[1.0 if i == j else min(1.0, max(-1.0, dot(a, b))) for j, b in enumerate(units)] for i, a in enumerate(units)]
    return [(value, oriented(vector)) for value, vector in sorted(eigen(matrix), key=lambda pair: -pair[0])]


def eigen(a):
    """Return eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations."""
    n = len(a)
    a = [row[:] for row in a]
    vectors = [[float(i == j) for j in range(n)] for i in range(n)]  # by row
    for _ in range(60):
        if sum(a[i][j] ** 2 for i in range(n) for j in range(i)) < 1e-30 * n:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q] != 0:
                    rotate(a, vectors, p, q)
    return [(a[i][i], vectors[i]) for i in range(n)]


def rotate(a, vectors, p, q):
    """Make the element (p, q) of a symmetric matrix 0."""
    theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
    t = math.copysign(1.0, theta) / (abs(theta) + math.hypot(theta, 1.0))
    c = 1 / math.sqrt(t * t + 1)
    s = t * c
    for row in a:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    for rows in (a, vectors):
        u, v = rows[p], rows[q]
        rows[p] = [c * x - s * y for x, y in zip(u, v)]
        rows[q] = [s * x + c * y for x, y in zip(u, v)]


def oriented(v):
    """Make the element with the largest magnitude positive, since the sign of an eigenvector is arbitrary."""
    at = 0
    for i, x in enumerate(v):
        if abs(x) > abs(v[at]) * (1 + 1e-9):
            at = i
    return [-x for x in v] if v[at] < 0 else v
