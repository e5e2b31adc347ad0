"""The function of analyses that gathers a tear sheet."""
import math

from advantage import attributed
from asked import Asked, named
from crises import stress
from explain import factors
from measures import _equity
from metrics import compute
from relate import correlation
from risk import drawdowns, tails
from times import rolling

LEFT_OUT = ("conventions", "drawdowns", "monthly", "benchmark", "deflated_sharpe")


@named
def report(ctx, keys, benchmark=None):
    """Gather figures, drawdowns, windows of years, tails, episodes, correlations, loadings and attribution."""
    asked, window, sheet = Asked("report"), ctx._window, ctx._sheet
    keys = asked.keys("keys", keys)
    if benchmark is not None and asked.key("benchmark", benchmark) in keys:
        asked.refuse("benchmark", "is %s, which is also reported on" % benchmark, "another member")
    every = keys + ([benchmark] if benchmark else [])
    write_figures(window, sheet, every)
    parts = [lambda: drawdowns(ctx, every), lambda: rolling(ctx, keys, [1, 3], benchmark), lambda: tails(ctx, every), lambda: stress(ctx, every)]
    if len(every) > 1:
        parts.append(lambda: correlation(ctx, every))
    if benchmark:
        parts += [lambda key=key: factors(ctx, key, [benchmark]) for key in keys]
        parts += [lambda key=key: attributed(window, sheet, key, benchmark, True) for key in keys]
    for part in parts:
        try:
            part()
        except ValueError:
            pass  # the data do not allow it
    return sheet.shown("figures")


def write_figures(window, sheet, keys):
    """Write the usual figures of each member, and its value over time."""
    rows, growth = [], []
    for key in keys:
        base, dates, returns = window.series(key)
        figures = flat(compute(base, dates, returns, int(window.per_year)))
        rows.append(dict({"key": key, "first": dates[0], "last": dates[-1]}, **figures))
        growth += [(key, date, value) for date, value in zip([base] + dates, _equity(returns))]
    sheet.table("figures", {name: [row[name] for row in rows] for name in rows[0]})
    sheet.figure("growth", "Value of 1", "line", "growth", "date", ["value"])
    sheet.table("growth", dict(zip(("key", "date", "value"), map(list, zip(*growth)))))


def flat(block, start=""):
    """Return the plain numbers of a block of metrics by name; names of nested fields are joined by underscores."""
    out = {}
    for name, value in block.items():
        if name in LEFT_OUT:
            continue
        if name == "window":
            out.update(sessions=float(value["sessions"]), years=math.nan if value["years"] is None else value["years"])
        elif name == "max_drawdown":
            for field, own in (("max_drawdown", value["value"]), ("max_drawdown_days", value["days"])):
                out[field] = math.nan if own is None else float(own)
        elif isinstance(value, dict):
            out.update(flat(value, start + name + "_"))
        else:
            out[start + name] = math.nan if value is None else float(value)
    return out
