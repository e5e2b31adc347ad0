"""Where a portfolio's return beyond its benchmark's comes from (Brinson and Fachler 1985), linked over periods (Cariño 1999)."""
import math

WEIGHT_TOLERANCE = 1e-9  # by how much the weights of a period may miss 1
ZERO = 0.0, 0.0, 0.0


def attribute(keys, periods):
    """Return allocation, selection and interaction by key, and both compounded returns.

    A period has for each key the weights of the portfolio and of the benchmark at its
    start and their returns over it. The effects add up to the active return.
    """
    effects, grown, grown_benchmark = [ZERO] * len(keys), 1.0, 1.0
    for t, segments in enumerate(periods):
        r, b = returns_of(keys, t, segments)
        factor = linking(r, b)
        effects = [tuple(x + factor * y for x, y in zip(e, of_segment(s, b))) for e, s in zip(effects, segments)]
        grown, grown_benchmark = grown * (1 + r), grown_benchmark * (1 + b)
    whole = linking(grown - 1, grown_benchmark - 1)
    return [tuple(x / whole for x in e) for e in effects], grown - 1, grown_benchmark - 1


def returns_of(keys, period, segments):
    """Check the segments of a period and return both returns."""
    r = b = weight = benchmark_weight = 0.0
    for key, (w, bw, own, other) in zip(keys, segments):
        weight += w
        benchmark_weight += bw
        if w != 0 and not math.isfinite(own) or bw != 0 and not math.isfinite(other):
            raise ValueError("%s is held in period %d and has no return in it" % (key, period))
        r += w * own if w != 0 else 0.0
        b += bw * other if bw != 0 else 0.0
    for who, total, grown in (("portfolio", weight, r), ("benchmark", benchmark_weight, b)):
        if not abs(total - 1) <= WEIGHT_TOLERANCE:
            raise ValueError("the %s's weights in period %d add up to %s; they must add up to 1, with cash as a holding" % (who, period, total))
        if grown <= -1:
            raise ValueError("the %s loses everything in period %d, so later periods have no attribution" % (who, period))
    return r, b


def of_segment(segment, benchmark):
    """Return the effects of one holding, given the benchmark's return.

    A holding that one portfolio does not have is taken to have earned there what it
    earned in the other.
    """
    w, bw, own, other = segment
    if w == 0 and bw == 0:
        return ZERO
    if w == 0:
        own = other
    elif bw == 0:
        other = own
    active, better = w - bw, own - other
    return active * (other - benchmark), bw * better, active * better


def linking(r, b):
    """Return (ln(1 + r) - ln(1 + b))/(r - b), and its limit where r = b."""
    if r == b:
        return 1 / (1 + r)
    return math.log1p((r - b) / (1 + b)) / (r - b)
