"""Functions of analyses that say how members move together."""
from asked import Asked, named
from together import cluster_order, components_of, correlate
from window import DAILY, MONTHLY


@named
def correlation(ctx, keys, frequency="daily", method="pearson"):
    """Correlate all pairs of members; those that move alike are next to each other."""
    asked, sheet = Asked("correlation"), ctx._sheet
    keys = asked.keys("keys", keys, 2)
    columns = ctx._window.columns(keys, asked.choice("frequency", frequency, (DAILY, MONTHLY)))
    values, counts = correlate(columns, asked.choice("method", method, ("pearson", "spearman")))
    if not any(counts[i][j] for i in range(len(keys)) for j in range(i)):
        ctx._window.common(columns, frequency)  # says that there is no day in common
    order = cluster_order(values)
    pairs = [(i, j) for i in order for j in order]
    sheet.figure("correlation", "Correlation", "heatmap", "correlation", "a", ["b", "value"])
    sheet.table("correlation", {
        "a": [keys[i] for i, _ in pairs], "b": [keys[j] for _, j in pairs], "value": [values[i][j] for i, j in pairs],
        "n": [float(counts[i][j]) for i, j in pairs],
    })
    return sheet.shown("correlation")


@named
def components(ctx, keys, frequency="daily"):
    """Find the directions in which members move together."""
    asked, sheet = Asked("components"), ctx._sheet
    keys = asked.keys("keys", keys, 2)
    columns = ctx._window.columns(keys, asked.choice("frequency", frequency, (DAILY, MONTHLY)))
    ctx._window.common(columns, frequency)
    found = components_of(columns)
    numbers = [float(i + 1) for i in range(len(found))]
    sheet.table("components", {"component": numbers, "eigenvalue": [v for v, _ in found], "share": [v / len(found) for v, _ in found]})
    sheet.table("loadings", {
        "component": [n for n in numbers for _ in keys], "key": keys * len(found), "loading": [x for _, vector in found for x in vector],
    })
    sheet.figure("components", "Variance that each component explains", "bar", "components", "component", ["share"], "", "fraction")
    return sheet.shown("components")
