"""Functions of analyses that tell times apart: windows of years, and regimes."""
import math

from asked import Asked, named, shown
from columns import Column
from frame import iso
from inputs import is_number
from regimes import RULES, by_regime, regimes_of
from rollings import rolling_performance
from window import DAILY

TITLES = {"return": "Return", "volatility": "Volatility", "beta": "Beta"}


@named
def rolling(ctx, keys, years, benchmark=None):
    """Follow return, volatility and beta over windows of some years."""
    asked, window, sheet = Asked("rolling"), ctx._window, ctx._sheet
    keys, spans = asked.keys("keys", keys), years_of(asked, years)
    if benchmark is not None:
        asked.key("benchmark", benchmark)
    columns, rows = window.columns(keys, DAILY), window.rows(DAILY)
    other = window.columns([benchmark], DAILY)[0] if benchmark else None
    found = {name: [] for name in ("key", "window", "date", "years", "return", "volatility", "beta")}
    for c in columns:
        if other:
            window.common([c, other], DAILY)
        for n in spans:
            last, (returns, volatility, beta) = rolling_performance(c, other, n * int(rows.per_year), rows.per_year)
            m = len(last)
            for values, more in zip(found.values(), (
                [c.name] * m, ["1 year" if n == 1 else "%d years" % n] * m, [iso(rows.dates[t]) for t in last], [float(n)] * m,
                returns, volatility, beta if other else [math.nan] * m,
            )):
                values += more
    sheet.table("rolling", found)
    for name in ("return", "volatility", "beta") if other else ("return", "volatility"):
        sheet.figure("rolling_" + name, TITLES[name] + " over rolling windows", "line", "rolling", "date", [name], "",
                     "" if name == "beta" else "fraction a year")
    return sheet.shown("rolling")


def years_of(asked, years):
    """Read a whole number of years, or a list of them."""
    accepted = "a whole number of years from 1 to 50, or an array of them such as [1, 3, 5, 10]"
    spans = []
    for n in years if isinstance(years, list) else [years]:
        if not is_number(n) or n != n or n not in range(1, 51) or n in spans:
            asked.refuse("years", "has " + shown(n), accepted)
        spans.append(int(n))
    if not 1 <= len(spans) <= 10:
        asked.refuse("years", "has no years or more than ten", accepted)
    return spans


@named
def regimes(ctx, keys, rule):
    """Say what members did on the days of each regime of the first of them."""
    asked, window, sheet = Asked("regimes"), ctx._window, ctx._sheet
    keys, rule = asked.keys("keys", keys), asked.choice("rule", rule, RULES)
    columns = window.columns(keys, DAILY)
    traded = [t for t, v in enumerate(columns[0].values) if v == v]
    columns = [Column(c.name, [c.values[t] for t in traded]) for c in columns]
    of = regimes_of(columns[0], rule)
    rows = [(c.name,) + row for c in columns for row in by_regime(c, of, window.rows(DAILY).per_year)]
    sheet.figure("regimes", "Return a year in each regime", "heatmap", "regimes", "key", ["regime", "return"], "", "fraction")
    names = "key", "regime", "days", "return", "volatility"
    sheet.table("regimes", {name: [row[i] for row in rows] for i, name in enumerate(names)})
    return sheet.shown("regimes")
