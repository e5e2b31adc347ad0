"""Computes figures of many models in pandas and polars: python segments.py FILES REPETITIONS.

FILES is a glob pattern of Parquet files with the columns model_id, date, return, equity
and peak. Prints one line of JSON: for each library, the median seconds of reading and
computing, and the sums of the figures to compare. "life" includes the drawdown over the
whole life of each model.
"""
import glob
import json
import sys
import time

import numpy as np
import pandas as pd
import polars as pl


def in_pandas(files, columns, life):
    t = pd.concat([pd.read_parquet(f, columns=columns) for f in files])
    t["model_id"] = t["model_id"].astype("category")
    t["growth"] = np.log1p(t["return"])
    if life:
        t["drawdown"] = t["equity"] / t["peak"]
    g = t.groupby("model_id", observed=True)
    years = (pd.to_datetime(g["date"].max()) - pd.to_datetime(g["date"].min())).dt.days / 365.25
    r = g["return"]
    out = pd.DataFrame({
        "cagr": np.exp(g["growth"].sum()) ** (1 / years) - 1,
        "volatility": r.std() * np.sqrt(252),
        "sharpe": r.mean() / r.std() * np.sqrt(252),
    })
    if life:
        out["drawdown"] = g["drawdown"].min() - 1
    return out


def in_polars(files, columns, life):
    r = pl.col("return")
    years = (pl.col("date").max() - pl.col("date").min()).dt.total_days() / 365.25
    figures = [
        ((1 + r).product() ** (1 / years) - 1).alias("cagr"),
        (r.std() * 252**0.5).alias("volatility"),
        (r.mean() / r.std() * 252**0.5).alias("sharpe"),
    ]
    if life:
        figures.append(((pl.col("equity") / pl.col("peak")).min() - 1).alias("drawdown"))
    return pl.scan_parquet(files).select(columns).group_by("model_id").agg(figures).collect()


def timed(n, function):
    seconds = []
    for _ in range(n + 1):
        start = time.perf_counter()
        out = function()
        seconds.append(time.perf_counter() - start)
    return out, float(np.median(seconds[1:]))  # the first one warms caches


def main(pattern, n):
    files = sorted(glob.glob(pattern))
    few = ["model_id", "date", "return"]
    out = {}
    for name, version, compute in (("pandas", pd.__version__, in_pandas), ("polars", pl.__version__, in_polars)):
        _, figures = timed(n, lambda: compute(files, few, False))
        totals, life = timed(n, lambda: compute(files, few + ["equity", "peak"], True))
        out[name] = {
            "version": version, "figures": figures, "life": life,
            "cagr": float(totals["cagr"].sum()), "sharpe": float(totals["sharpe"].sum()), "lowest": float(totals["drawdown"].sum()),
        }
    print(json.dumps(out))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
