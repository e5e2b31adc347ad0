"""Hierarchical risk parity (López de Prado 2016) within bounds."""
import math


def _hierarchical(rows, low, high, total):
    """Split total along the tree of single linkage, in inverse proportion to the variances of the halves."""
    weights = [0.0] * len(rows)

    def room(members, bounds):
        return sum(bounds[i] for i in members)

    def split(members, total):
        if len(members) == 1:
            i = members[0]
            weights[i] = min(max(total, low[i]), high[i])
            return
        left, right = members[:len(members) // 2], members[len(members) // 2:]
        a, b = _cluster_risk(rows, left), _cluster_risk(rows, right)
        share = total * (1 - a / (a + b))
        least, most = max(room(left, low), total - room(right, high)), min(room(left, high), total - room(right, low))
        share = min(max(share, least), most)
        split(left, share)
        split(right, total - share)

    split(_linked(rows), total)
    return weights


def _cluster_risk(rows, members):
    """The variance of members weighted in inverse proportion to their variances."""
    shares = [1 / rows[i][i] for i in members]
    total = math.fsum(shares)
    shares = [s / total for s in shares]
    return math.fsum(a * b * rows[i][j] for a, i in zip(shares, members) for b, j in zip(shares, members))


def _linked(rows):
    """The members in the order of the leaves of the tree of single linkage."""
    leaves = {i: (i, [i]) for i in range(len(rows))}  # by member: the number of its cluster and the cluster
    for number, (_, a, b) in enumerate(sorted(_spanning(rows), key=lambda link: link[0]), len(rows)):
        first, second = sorted((leaves[a], leaves[b]))
        joined = (number, first[1] + second[1])
        for i in joined[1]:
            leaves[i] = joined
    return leaves[0][1]


def _spanning(rows):
    """The edges of a minimum spanning tree of the distances sqrt((1 - r)/2), by the method of Prim."""
    n = len(rows)
    volatility = [math.sqrt(rows[i][i]) for i in range(n)]
    near, origin, left, at = [math.inf] * n, [0] * n, list(range(1, n)), 0
    links = []
    while left:
        for i in left:
            d = math.sqrt(max(0.0, (1 - rows[at][i] / (volatility[at] * volatility[i])) / 2))
            if d < near[i]:
                near[i], origin[i] = d, at
        at = min(left, key=lambda i: near[i])
        left.remove(at)
        links.append((near[at], origin[at], at))
    return links
