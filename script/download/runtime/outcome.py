"""The result of a simulation: scalars, tables and figures."""
import math

from answer import figure, table
from bands import LEVELS, NAMES, band, order, quantile_of, wilson
from carry import CURVE_RATES
from frame import iso

SAMPLES = 50  # paths that are kept whole
FAN = [name + "_real" for name in NAMES[:len(LEVELS)]]
FIGURES = (
    ("fan", "Value by month, in prices of the start", "band", "bands", "step", FAN, "months", "usd"),
    ("alive", "Paths that have paid everything so far", "line", "bands", "step", ["alive"], "months", "fraction"),
    ("spending", "Spending by month, in prices of the start", "band", "spending", "step", FAN, "months", "usd"),
    ("final", "Value at the end, in prices of the start", "histogram", "outcomes", "final_real", [], "usd"),
    ("rates", "Chance of lasting by withdrawal rate", "line", "rates", "rate", ["success", "low", "high"], "fraction a year", "fraction"),
)
STARTS = ("starts", "Value at the end by past start, in prices of the start", "line", "outcomes", "start", ["final_real"], "", "usd")
PATH_FIGURE = ("path", "Value of one path", "line", "path", "step", ["value", "real_value"], "months", "usd")


def result_of(carrier, records, step_months):
    """Return the result of all paths, as it is printed in JSON."""
    tables = {
        "bands": bands_table(carrier), "spending": spending_table(carrier), "outcomes": outcomes_table(carrier),
        "rates": rates_table(carrier), "sample_paths": samples_table(carrier),
    }
    if records:
        tables["recorded"] = recorded_table(records, step_months)
    shown = FIGURES + (STARTS,) if carrier.plan.source == "history" else FIGURES
    return {"scalars": scalars(carrier), "tables": {name: table(columns) for name, columns in tables.items()}, "figures": list(map(figure, shown))}


def path_result(plan, values, real_values, withdrawn):
    """Return the result of one path; nothing is paid before the first month."""
    start = [plan.start_value]
    columns = {"step": list(range(plan.horizon + 1)), "value": start + values, "real_value": start + real_values, "withdrawn": [None] + withdrawn}
    return {"scalars": {}, "tables": {"path": table(columns)}, "figures": [figure(PATH_FIGURE)]}


def fan(carrier, values, real_values, prices, start=None):
    """Return the bands of each month as columns, nominal and real; start is a value that comes first."""
    horizon = carrier.plan.horizon
    nominal = [band(values[t::horizon]) for t in range(horizon)]
    if carrier.drawn:
        real = [band(real_values[t::horizon]) for t in range(horizon)]
    else:
        real = [[x / price for x in row] for row, price in zip(nominal, prices)]
    if start is not None:
        nominal, real = [[start] * len(NAMES)] + nominal, [[start] * len(NAMES)] + real
    columns = dict(zip(NAMES, zip(*nominal)))
    columns.update(zip([name + "_real" for name in NAMES], zip(*real)))
    return columns


def bands_table(carrier):
    """Return the bands of the value by month, from the start on, and the share of paths that have paid everything so far."""
    horizon, paths = carrier.plan.horizon, len(carrier.outcomes)
    ended = [0] * (horizon + 1)
    for outcome in carrier.outcomes:
        if outcome.depleted:
            ended[outcome.depleted] += 1
    alive, left = [], paths
    for n in ended:
        left -= n
        alive.append(left / paths)
    columns = {"step": list(range(horizon + 1))}
    columns.update(fan(carrier, carrier.values, carrier.real_values, carrier.prices[1:], carrier.plan.start_value))
    columns["alive"] = alive
    return columns


def spending_table(carrier):
    """Return the bands of the spending by month."""
    columns = {"step": list(range(1, carrier.plan.horizon + 1))}
    columns.update(fan(carrier, carrier.spending, carrier.real_spending, carrier.prices))
    return columns


def outcomes_table(carrier):
    """Return how each path ends."""
    outcomes = carrier.outcomes
    columns = {name: [getattr(o, name) for o in outcomes] for name in ("path", "final", "final_real")}
    columns["depleted_step"] = [o.depleted or None for o in outcomes]
    columns.update((name, [getattr(o, name) for o in outcomes]) for name in ("spent", "lowest_spent", "max_drawdown"))
    if carrier.plan.source == "history":
        columns["start"] = [iso(carrier.plan.months.ends[o.path]) for o in outcomes]
    return columns


def mean_years(missing, failed):
    """Return the mean years that a failing path misses."""
    return missing / failed / 12 if failed else math.nan


def rates_table(carrier):
    """Return the curve of spending against success."""
    paths = len(carrier.outcomes)
    rows = []
    for rate, failed, missing in zip(CURVE_RATES, carrier.failed, carrier.missing):
        rows.append((rate, (paths - failed) / paths) + wilson(paths - failed, paths) + (mean_years(missing, failed),))
    return dict(zip(("rate", "success", "low", "high", "shortfall"), map(list, zip(*rows))))


def samples_table(carrier):
    """Return the first paths whole."""
    horizon = carrier.plan.horizon
    columns = {"path": [], "step": [], "value": []}
    for path in range(min(SAMPLES, len(carrier.outcomes))):
        columns["path"] += [path] * (horizon + 1)
        columns["step"] += range(horizon + 1)
        columns["value"] += [carrier.plan.start_value] + list(carrier.values[path * horizon:(path + 1) * horizon])
    return columns


def recorded_table(records, step_months):
    """Return how each recorded name lies over the paths, by step."""
    columns = {name: [] for name in ["name", "step"] + NAMES}
    for name in sorted(records):
        for step, row in enumerate(records[name]):
            kept = [v for v in row or () if v == v]
            if kept:
                for column, x in zip(columns.values(), [name, step * step_months] + band(kept)):
                    column.append(x)
    return columns


def scalars(carrier):
    """Return the numbers of the whole run."""
    plan, outcomes = carrier.plan, carrier.outcomes
    paths = len(outcomes)
    failures = [plan.horizon - o.depleted + 1 for o in outcomes if o.depleted]
    low, high = wilson(paths - len(failures), paths)
    level = 0.0 if plan.source == "history" else 0.05

    def quantile(name, q):
        return quantile_of(order([getattr(o, name) for o in outcomes]), q)

    months = len(plan.months.ends)
    rows = (
        ("success", (paths - len(failures)) / paths, "fraction", "Paths that pay everything"),
        ("success_low", low, "fraction", "Lower end of its 95 % interval"),
        ("success_high", high, "fraction", "Upper end of its 95 % interval"),
        ("shortfall_years", mean_years(sum(failures), len(failures)), "years", "Years missing when a path fails, mean"),
        ("safe_rate", quantile("safe_rate", level), "fraction a year", "Safe withdrawal rate"),
        ("perpetual_rate", quantile("perpetual_rate", level), "fraction a year", "Withdrawal rate that keeps the real value"),
        ("median_final", quantile("final", 0.5), "usd", "Median value at the end"),
        ("median_final_real", quantile("final_real", 0.5), "usd", "Median value at the end, in prices of the start"),
        ("block_stationary", carrier.lengths[0], "months", "Best mean block length, stationary"),
        ("block_circular", carrier.lengths[1], "months", "Best block length, circular"),
        ("independent_windows", months / plan.horizon, "windows", "Independent windows of the plan's length in the data"),
        ("months", float(months), "months", "Months of data"),
    )
    if carrier.drawn:
        rows += (("inflation", plan.inflation, "fraction a year", "Mean inflation of the data"),)
    return {name: {"value": value if math.isfinite(value) else None, "unit": unit, "title": title} for name, value, unit, title in rows}
