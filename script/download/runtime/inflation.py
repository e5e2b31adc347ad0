"""Inflation by month, from a column of a monthly series."""
from failure import ModelError
from frame import iso
from months import Months, month_of

LONGEST_GAP = 3  # months between two levels of an index
LEAST = -0.5  # of a month


def inflation_of(name, frequency, kind, days, values):
    """Return the inflation of each month that a column says, by number of the month.

    Between two levels of an index that are up to three months apart, prices rise evenly.
    """
    if frequency != "monthly":
        raise ModelError("%s is a %s series: inflation comes from a monthly one" % (name, frequency))
    known = {}
    before = level = None
    for day, value in zip(days, values):
        month, gap, x = month_of(day), 1, value
        if kind == "rate":
            x = (1 + value) ** (1 / 12) - 1
        elif kind == "index":
            gap = None if before is None else month - before
            x = None
            if gap is not None and gap <= LONGEST_GAP:
                x = value / level
                x = (x ** (1 / gap) if gap > 1 else x) - 1
            before, level = month, value
        if x is None:
            continue
        if x <= LEAST:
            raise ModelError("%s says that prices fell by %.4g %% in the month to %s: at most %g %% is plausible" % (name, -100 * x, iso(day), -100 * LEAST))
        for k in range(gap):
            known[month - k] = x
    return known


def with_inflation(months, name, known):
    """Return the months for which inflation is known, with that inflation."""
    if not known:
        raise ModelError("%s says no month's inflation" % name)
    numbers = [month_of(day) for day in months.ends]
    have = [i for i, number in enumerate(numbers) if number in known]
    if not have:
        raise ModelError("%s has inflation from %s to %s, and the members have whole months from %s to %s: no month is in both"
                         % (name, written(min(known)), written(max(known)), iso(months.base), iso(months.ends[-1])))
    first, last = have[0], have[-1]
    for i in range(first, last + 1):
        if numbers[i] not in known:
            raise ModelError("%s has no value for %s, between its first and its last month: add it to the series, or leave out "
                             "the months before it with since" % (name, written(numbers[i])))
    base = months.ends[first - 1] if first else months.base
    return Months(months.keys, [r[first:last + 1] for r in months.returns], base, months.ends[first:last + 1],
                  [known[n] for n in numbers[first:last + 1]], name)


def written(month):
    return "%04d-%02d" % (month // 12, month % 12 + 1)
