"""The best mean block lengths of the bootstrap of a series."""
import math

from vector import _divide, _dot, _mean


def block_lengths(x):
    """Return the lengths for the stationary and the circular bootstrap, or two NaN where the series has none.

    Politis and White (2004), "Automatic block-length selection for the dependent
    bootstrap", as corrected by Patton, Politis and White (2009).
    """
    n = len(x)
    if n < 8 or min(x) == max(x):
        return math.nan, math.nan
    mean = _mean(x)
    eps = [v - mean for v in x]
    together = max(5, int(math.log10(n)))
    most = min(math.ceil(math.sqrt(n)) + together, n - 2)
    significant = 2 * math.sqrt(math.log10(n) / n)
    covariance, correlation = [], []
    lag = 0  # the last lag before as many insignificant ones as are looked at together
    for i in range(most + 1):
        late, early = eps[i + 1:], eps[:n - i - 1]
        product = _dot(eps[i:], eps[:n - i])
        covariance.append(product / n)
        correlation.append(_divide(abs(product), math.sqrt(_dot(late, late) * _dot(early, early))))
        if i >= together and lag == 0 and max(correlation[i - together:i]) < significant:
            lag = max(i - together, 1)
    m = min(2 * lag, most) if lag > 0 else most
    g, long_run = 0.0, covariance[0]
    for k in range(1, m + 1):
        weight = 1.0 if k / m <= 0.5 else 2 * (1 - k / m)  # the flat-top lag window
        g += 2 * weight * k * covariance[k]
        long_run += 2 * weight * covariance[k]
    longest = math.ceil(min(3 * math.sqrt(n), n / 3))

    def length(d):
        return min(_root3(_divide(2 * g * g, d)) * _root3(n), longest)

    return float(length(2 * long_run * long_run)), float(length(4.0 / 3 * long_run * long_run))


def _root3(x):
    """Return the cube root of a number of at least 0, with a step of Newton's since a power is not exact."""
    if x == 0 or not math.isfinite(x):
        return x
    y = x ** (1.0 / 3)
    return y - (y * y * y - x) / (3 * y * y)


def used_length(length):
    """Return the length to draw with: at least 1, and 12 where the data has none."""
    return 12.0 if length != length else max(length, 1.0)
