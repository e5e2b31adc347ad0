"""Computes the metrics of a history in pandas: python history.py DAYS.csv REPETITIONS.

DAYS.csv has the columns date and returns, as the service returns it. Prints one line of
JSON: the median seconds of reading the file and of computing the metrics, and two metrics
to compare.
"""
import json
import sys
import time

import numpy as np
import pandas as pd


def figures(r):
    equity = (1 + r).cumprod()
    with_base = np.concatenate([[1.0], equity.to_numpy()])
    drawdown = with_base / np.maximum.accumulate(with_base) - 1
    years = (r.index[-1] - r.index[0]).days / 365.25
    monthly = (1 + r).groupby([r.index.year, r.index.month]).prod() - 1
    yearly = (1 + r).groupby(r.index.year).prod() - 1
    downside = np.sqrt((np.minimum(r, 0) ** 2).mean())
    tails = r.quantile([0.05, 0.95])
    rolling = [(equity / equity.shift(252 * n)) ** (1 / n) - 1 for n in (1, 3, 5)]
    return {
        "total_return": equity.iloc[-1] - 1,
        "cagr": equity.iloc[-1] ** (1 / years) - 1,
        "volatility": r.std() * np.sqrt(252),
        "sharpe": r.mean() / r.std() * np.sqrt(252),
        "sortino": r.mean() / downside * np.sqrt(252),
        "max_drawdown": drawdown.min(),
        "ulcer": np.sqrt((drawdown**2).mean()),
        "omega": r[r > 0].sum() / -r[r < 0].sum(),
        "tail_ratio": abs(tails.iloc[1] / tails.iloc[0]),
        "cvar": r[r <= tails.iloc[0]].mean(),
        "skewness": r.skew(),
        "kurtosis": r.kurt(),
        "win_rate": (r > 0).mean(),
        "best_worst": (r.max(), r.min(), monthly.max(), monthly.min(), yearly.max(), yearly.min()),
        "months": monthly.unstack(),
        "rolling": [(x.min(), x.median(), x.max()) for x in rolling],
    }


def timed(n, function):
    seconds = []
    for _ in range(n + 1):
        start = time.perf_counter()
        out = function()
        seconds.append(time.perf_counter() - start)
    return out, float(np.median(seconds[1:]))  # the first one warms caches


def main(path, n):
    days, reading = timed(n, lambda: pd.read_csv(path, index_col="date", parse_dates=True)["returns"])
    metrics, computing = timed(n, lambda: figures(days))
    print(json.dumps({
        "read": reading, "figures": computing, "pandas": pd.__version__,
        "total_return": float(metrics["total_return"]), "sharpe": float(metrics["sharpe"]),
    }))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
