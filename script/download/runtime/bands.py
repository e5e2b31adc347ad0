"""How values lie over all paths."""
import math
from functools import reduce
from operator import add

LEVELS = (0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95)
NAMES = ["p%.0f" % (100 * q) for q in LEVELS] + ["mean"]
NORMAL_975 = 1.959963984540054  # the normal's quantile of 97.5 %


def order(values):
    """Sort values, those that are not a number first."""
    if any(map(math.isnan, values)):
        return [v for v in values if v != v] + sorted(v for v in values if v == v)
    return sorted(values)


def quantile_of(ordered, q):
    """Return a quantile of sorted values, linear between the order statistics around it."""
    h = q * (len(ordered) - 1)
    below = int(h)
    x = ordered[below]
    part = h - below
    if part > 0:
        y = ordered[below + 1]
        if x != y:
            x += part * (y - x)
    return x


def band(values):
    """Return the quantiles of values in the order of LEVELS, and their mean."""
    ordered = order(values)
    return [quantile_of(ordered, q) for q in LEVELS] + [reduce(add, values, 0.0) / len(values)]


def wilson(successes, n):
    """Return the interval of a share that holds with 95 % (Wilson 1927)."""
    z, share = NORMAL_975, successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(centre - half, 0.0)  # exactly, without the rounding of the square root
    high = 1.0 if successes == n else min(centre + half, 1.0)
    return low, high
