"""Runs the Python examples of the page on exports: python exports.py PAGE URL KEY.

The current folder must contain bars.parquet. Prints one line of JSON: the sizes of the
examples' results, and the seconds that pandas takes to read the file.
"""
import json
import re
import sys
import time

import pandas as pd
import polars as pl

page, url, key = sys.argv[1:]
names = {"url": url, "key": key}
for example in re.findall(r"```python\n(.*?)```", open(page).read(), re.S):
    exec(example, names)

start = time.perf_counter()
bars = pd.read_parquet("bars.parquet")
seconds = time.perf_counter() - start
json.dump({
    "versions": {"pandas": pd.__version__, "polars": pl.__version__},
    "rows": len(bars),
    "columns": list(bars.columns),
    "symbols": names["prices"].shape[1],
    "days": names["prices"].shape[0],
    "yearly": names["yearly"].height,
    "returns": len(names["returns"]),
    "seconds": seconds,
}, sys.stdout)
