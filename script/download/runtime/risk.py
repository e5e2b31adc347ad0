"""Functions of analyses that say how bad it has been."""
from asked import Asked, named
from drawdowns import _deepest
from frame import iso
from losses import co_drawdowns, tails_of
from measures import _equity
from periods import _Series
from window import DAILY


@named
def tails(ctx, keys, level=0.95):
    """Say how bad the worst days are, and what the others did in the deepest drawdown of each."""
    asked, window, sheet = Asked("tails"), ctx._window, ctx._sheet
    keys, level = asked.keys("keys", keys), asked.number("level", level, 0.5, 1, "0.95")
    columns = window.columns(keys, DAILY)
    rows = [(c.name,) + (name, level, risk, shortfall) for c in columns for name, risk, shortfall in tails_of(c, level)]
    sheet.table("tails", dict(zip(("key", "method", "level", "value_at_risk", "expected_shortfall"), map(list, zip(*rows)))))
    if len(keys) == 1:
        sheet.figure("tails", "Daily losses that are rarely exceeded", "bar", "tails", "method", ["value_at_risk", "expected_shortfall"], "", "fraction")
    else:
        sheet.figure("tails", "Value at risk of a day", "heatmap", "tails", "key", ["method", "value_at_risk"], "", "fraction")
        together(window, sheet, columns)
    return sheet.shown("tails")


def together(window, sheet, columns):
    """Write what all did from the peak to the trough of each one's deepest drawdown, if they have days in common."""
    try:
        common = window.common(columns, DAILY)
    except ValueError:
        return
    dates, rows = window.rows(DAILY).dates, []
    for own, (depth, peak, valley, others) in zip(columns, co_drawdowns(columns)):
        first = last = None
        if depth < 0:
            first, last = iso(dates[peak] if peak >= 0 else window.before(common[0])), iso(dates[valley])
        rows += [(own.name, first, last, depth, c.name, change, fall) for c, (change, fall) in zip(columns, others)]
    sheet.figure("together", "What each did in the deepest drawdown of the other", "heatmap", "together", "key", ["other", "return"], "", "fraction")
    sheet.table("together", dict(zip(("key", "peak", "trough", "depth", "other", "return", "drawdown"), map(list, zip(*rows)))))


@named
def drawdowns(ctx, keys, n=10):
    """List the deepest falls from a high."""
    asked, window, sheet = Asked("drawdowns"), ctx._window, ctx._sheet
    keys, n = asked.keys("keys", keys), asked.integer("n", n, 1, 1000)
    found = {name: [] for name in ("key", "peak", "trough", "recovery", "depth", "days")}
    water = {name: [] for name in ("key", "date", "drawdown")}
    for key in keys:
        base, dates, returns = window.series(key)
        own, equity = _Series(base, dates, returns), _equity(returns)
        for d in _deepest(own, equity, n):
            row = key, d["peak"], d["valley"], d["recovery"], d["value"], float(d["days"])
            for values, x in zip(found.values(), row):
                values.append(x)
        high = 1.0
        for date, value in zip(dates, equity[1:]):
            high = max(high, value)
            for values, x in zip(water.values(), (key, date, value / high - 1)):
                values.append(x)
    sheet.table("drawdowns", found)
    sheet.figure("underwater", "Below the highest value so far", "line", "underwater", "date", ["drawdown"], "", "fraction")
    sheet.table("underwater", water)
    return sheet.shown("drawdowns")
