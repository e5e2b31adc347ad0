"""Functions of analyses that explain one member by others."""
import math

from asked import A_MEMBER, Asked, named
from columns import Column
from frame import iso
from inputs import is_number
from mix import rolling_style, style_of
from regression import regress
from rollings import rolling_regression
from window import DAILY, MONTHLY

ROLLING_MONTHS = 36
UNITS = {DAILY: "days", MONTHLY: "months"}  # what the rows of a frequency are counted in


@named
def factors(ctx, y, x, frequency="daily", riskless=None, lags=None):
    """Regress the returns of a member on those of others."""
    asked, window, sheet = Asked("factors"), ctx._window, ctx._sheet
    y, x, lags = asked.key("y", y), asked.keys("x", x), None if lags is None else asked.integer("lags", lags, 0, 1000)
    asked.choice("frequency", frequency, (DAILY, MONTHLY))
    if y in x and len(x) > 1:
        asked.refuse("x", "contains %s, the member that is explained" % y, "other members")
    columns = excess(asked, window, [y] + x, frequency, riskless)
    r = regress(columns[0], columns[1:], lags)
    sheet.table("factors", dict({"series": [y] * len(r.coefficients), "factor": [c.name for c in r.coefficients]}, **{
        name: [getattr(c, of) for c in r.coefficients] for name, of in (
            ("loading", "loading"), ("std_error", "error"), ("t", "t"), ("p", "p"), ("low", "low"), ("high", "high"),
            ("variance_inflation", "inflation"))}))
    sheet.figure("factors", "Loadings by factor", "bar", "factors", "factor", ["loading"])
    rows, suffix, unit = window.rows(frequency), sheet.suffix("factors"), UNITS[frequency]
    for name, value, unit, title in (
        ("alpha_annual", r.coefficients[0].loading * rows.per_year, "fraction a year", "Alpha of " + y),
        ("r_squared", r.r_squared, "fraction", "R² of " + y),
        ("adjusted_r_squared", r.adjusted_r_squared, "fraction", "Adjusted R² of " + y),
        ("durbin_watson", r.durbin_watson, "", "Durbin–Watson statistic of the residuals"),
        ("breusch_pagan", r.breusch_pagan, "", "Breusch–Pagan statistic of the residuals"),
        ("breusch_pagan_p", r.breusch_pagan_p, "fraction", "Probability of the Breusch–Pagan statistic"),
        ("n", r.n, unit, "Returns in the regression"),
        ("lags", r.lags, unit, "Lags of the Newey–West errors"),
    ):
        sheet.scalar(name + suffix, value, unit, title)
    rolling_loadings(sheet, rows, columns)
    return sheet.shown("factors")


def excess(asked, window, keys, frequency, riskless):
    """Return returns in excess of the riskless ones, which are a member's or a yearly rate; columns of series stay as they are."""
    columns, common = window.columns(keys, frequency), []
    rows = window.rows(frequency)
    if riskless is None or is_number(riskless) and -0.5 < riskless < 1:
        free = [math.pow(1 + (riskless or 0.0), 1 / rows.per_year) - 1] * len(rows.dates)
    elif isinstance(riskless, str) and riskless:
        if riskless in keys:
            asked.refuse("riskless", "is %s, which is also explained or a factor" % riskless, "another member, a yearly rate such as 0.02, None")
        common = window.columns([riskless], frequency)
        free = common[0].values
    else:
        asked.refuse("riskless", "is %s" % (riskless,), "%s, a yearly rate such as 0.02, None" % A_MEMBER)
    window.common(columns + common, frequency)
    return [c if window.source(c.name).outside else Column(c.name, [v - f for v, f in zip(c.values, free)]) for c in columns]


def rolling_loadings(sheet, rows, columns):
    """Write the loadings over each window of 36 months, if there is one."""
    y, x = columns[0], columns[1:]
    size = int(rows.per_year) * ROLLING_MONTHS // 12
    if size < len(x) + 2:
        raise ValueError("a window of %d months has too few returns for %d factors" % (ROLLING_MONTHS, len(x)))
    last, fits = rolling_regression(y, x, size)
    if not last:
        return
    dates = [iso(rows.dates[t]) for t in last]
    found = {"series": [], "factor": [], "date": [], "loading": []}
    for j, c in enumerate(x):
        found["series"] += [y.name] * len(last)
        found["factor"] += [c.name] * len(last)
        found["date"] += dates
        found["loading"] += [math.nan if fit is None else fit[1][j] for fit in fits]
    sheet.table("rolling_factors", found)
    sheet.figure("rolling_factors", "Loadings over the last 36 months", "line", "rolling_factors", "date", ["loading"])


@named
def style(ctx, y, x, frequency="monthly"):
    """Find the mix of members that behaves most like another one."""
    asked, window, sheet = Asked("style"), ctx._window, ctx._sheet
    y, x = asked.key("y", y), asked.keys("x", x)
    asked.choice("frequency", frequency, (DAILY, MONTHLY))
    if y in x and len(x) > 1:
        asked.refuse("x", "contains %s, the member that is explained" % y, "other members")
    columns = window.columns([y] + x, frequency)
    window.common(columns, frequency)
    weights, r_squared, n = style_of(columns[0], columns[1:])
    sheet.table("style", {"series": [y] * len(x), "factor": x, "weight": weights})
    sheet.figure("style", "Weights of the mix that behaves alike", "bar", "style", "factor", ["weight"], "", "fraction")
    suffix = sheet.suffix("style")
    sheet.scalar("r_squared" + suffix, r_squared, "fraction", "R² of " + y)
    sheet.scalar("n" + suffix, n, UNITS[frequency], "Returns that were explained")
    if frequency == MONTHLY:
        rolling_weights(sheet, window.rows(MONTHLY), columns)
    return sheet.shown("style")


def rolling_weights(sheet, rows, columns):
    """Write the style over each window of 36 months, if there is one."""
    y, x = columns[0], columns[1:]
    last, styles = rolling_style(y, x, ROLLING_MONTHS)
    if not last:
        return
    dates = [iso(rows.dates[t]) for t in last]
    sheet.figure("rolling_style", "Weights over the last 36 months", "line", "rolling_style", "date", ["weight"], "", "fraction")
    sheet.table("rolling_style", {
        "series": [y.name] * (len(x) * len(last)), "factor": [c.name for c in x for _ in last], "date": dates * len(x),
        "weight": [math.nan if found is None else found[0][j] for j in range(len(x)) for found in styles],
    })
