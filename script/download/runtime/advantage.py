"""Functions of analyses about what members hold."""
from asked import Asked, named
from attribution import attribute
from window import joined

EVERY = "all"


@named
def attribution(ctx, model, benchmark, by="member"):
    """Say where the advantage of one member over another comes from."""
    asked, window, sheet = Asked("attribution"), ctx._window, ctx._sheet
    model, benchmark = asked.key("model", model), asked.key("benchmark", benchmark)
    asked.choice("by", by, ("member", "year"))
    if model == benchmark:
        asked.refuse("benchmark", "is %s, the model itself" % benchmark, "another member")
    return attributed(window, sheet, model, benchmark, by == "year")


def attributed(window, sheet, model, benchmark, by_year):
    """Write the effects of two members that each hold themselves alone."""
    days = shared_days(window, model, benchmark)
    keys = [model, benchmark]
    rows = []
    for name in sorted({date[:4] for date, _, _ in days}) + [EVERY]:
        segments = [[(1.0, 0.0, r, 0.0), (0.0, 1.0, 0.0, b)] for date, r, b in days if name in (date[:4], EVERY)]
        effects, grown, grown_benchmark = attribute(keys, segments)
        if by_year:
            effects = [tuple(sum(e[i] for e in effects) for i in range(3))]
        rows += [(key, name) + tuple(e) + (e[0] + e[1] + e[2],) for key, e in zip([EVERY] if by_year else keys, effects)]
    suffix = sheet.suffix("attribution")
    sheet.scalar("return" + suffix, grown, "fraction", "Return of " + model)
    sheet.scalar("benchmark_return" + suffix, grown_benchmark, "fraction", "Return of " + benchmark)
    sheet.scalar("active_return" + suffix, grown - grown_benchmark, "fraction", "Return of %s less that of %s" % (model, benchmark))
    if by_year:
        sheet.figure("attribution", "Active return by year", "bar", "attribution", "period", ["allocation", "selection", "interaction"], "", "fraction")
    else:
        sheet.figure("attribution", "Active return by member and period", "heatmap", "attribution", "key", ["period", "total"], "", "fraction")
    names = "key", "period", "allocation", "selection", "interaction", "total"
    sheet.table("attribution", dict(zip(names, map(list, zip(*rows)))))
    return sheet.shown("attribution")


def shared_days(window, model, benchmark):
    """Return the days that both have, with the return of each."""
    base, dates, returns = window.held_alone(model)
    other_base, other_dates, other_returns = window.held_alone(benchmark)
    place = {date: i for i, date in enumerate([other_base] + other_dates)}
    dates, days, previous = [base] + dates, [], -1
    for t, date in enumerate(dates):
        if not window.inside(date) and not (t + 1 < len(dates) and window.inside(dates[t + 1])):
            continue  # only the day before the window counts
        at = place.get(date)
        if at is None and (previous < 0 or date > other_dates[-1]):
            continue
        if at is None or previous >= 0 and at != previous + 1:
            raise ValueError("%s and %s do not trade on the same days around %s, so their returns cannot be compared day by day" % (model, benchmark, date))
        if previous >= 0 and window.inside(date):
            days.append((date, returns[t - 1], other_returns[at - 1]))
        previous = at
    if not days:
        raise ValueError("%s have no daily returns in common: %s" % (joined([model, benchmark]), window.spans([model, benchmark])))
    return days
