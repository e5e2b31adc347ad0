"""The output of a run."""
import csv
import os
import sys

from inputs import UsageError


def weights_of(result):
    """Return the weights at each close from the base on, by key, of the members that were ever held and of CASH."""
    weights = {key: [row[i] for row in result.weights] for i, key in enumerate(result.keys) if result.held[i]}
    weights["CASH"] = result.cash
    return weights


def result_object(metrics, dates, result):
    """Return a result as it is printed in JSON; its dates start after the base."""
    return {
        "metrics": metrics,
        "base": dates[0],
        "dates": dates[1:],
        "returns": result.returns[1:],
        "weights": {key: column[1:] for key, column in weights_of(result).items()},
        "ledger": result.ledger,
    }


def custom_of(result):
    """Return the recorded numbers from the base on, by name; None on sessions without one."""
    sessions = range(result.base, result.base + len(result.returns))
    return {name: [values.get(t) for t in sessions] for name, values in sorted(result.custom.items())}


def write_folder(folder, dates, result):
    """Write daily.csv, which starts with the base, and ledger.csv."""
    columns = {
        "date": dates, "return": [None] + result.returns[1:], "equity": result.equity,
        "gross_exposure": result.gross, "traded": result.traded,
    }
    columns.update(("weight." + key, column) for key, column in weights_of(result).items())
    columns.update(("custom." + name, column) for name, column in custom_of(result).items())
    trades = [("fill", "decided", "reason", "turnover", "key", "before", "target", "traded")]
    for event in result.ledger:
        head = tuple(event[name] for name in trades[0][:4])
        trades += [head + (key, t["before"], t["target"], t["traded"]) for key, t in event["trades"].items()]
    try:
        os.makedirs(folder, exist_ok=True)
        for name, rows in (("daily.csv", [list(columns)] + list(zip(*columns.values()))), ("ledger.csv", trades)):
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
                csv.writer(f, lineterminator="\n").writerows(rows)
    except OSError as e:
        raise UsageError("%s cannot be written: %s" % (folder, e.strerror)) from None


def write_table(name, metrics, dates, result):
    """Print the most important statistics."""
    def percent(x):
        return "-" if x is None else "%.2f %%" % (100 * x)

    def plain(x):
        return "-" if x is None else "%.3f" % x

    last = {key: column[-1] for key, column in weights_of(result).items() if column[-1] != 0}
    rows = (
        ("window", "%s to %s, %d sessions (base %s)" % (dates[min(1, len(dates) - 1)], dates[-1], len(dates) - 1, dates[0])),
        ("total return", percent(metrics["total_return"])),
        ("CAGR", percent(metrics["cagr"])),
        ("annual volatility", percent(metrics["annual_volatility"])),
        ("Sharpe", plain(metrics["sharpe"])),
        ("Sortino", plain(metrics["sortino"])),
        ("max drawdown", percent(metrics["max_drawdown"]["value"])),
        ("Calmar", plain(metrics["calmar"])),
        ("annual turnover", percent(metrics["turnover"])),
        ("trades", "%d on %d dates" % (sum(len(e["trades"]) for e in result.ledger), len(result.ledger))),
        ("held now", ", ".join("%s %.1f %%" % (key, 100 * w) for key, w in last.items())),
    )
    sys.stdout.write(name + "\n" + "".join("  %-18s %s\n" % row for row in rows))
