"""Reads exports as the page on them says: python exports.py PAGE URL KEY.

Runs every Python example of the page in the current folder, which has
bars.parquet, and prints one line of JSON: what they have found, and the seconds
that pandas takes to read the file.
"""
import json
import re
import sys
import time

import pandas as pd
import polars as pl

page, url, key = sys.argv[1:]
found = {"url": url, "key": key}
for example in re.findall(r"```python\n(.*?)```", open(page).read(), re.S):
    exec(example, found)

start = time.perf_counter()
bars = pd.read_parquet("bars.parquet")
seconds = time.perf_counter() - start
json.dump({
    "versions": {"pandas": pd.__version__, "polars": pl.__version__},
    "rows": len(bars),
    "columns": list(bars.columns),
    "symbols": found["prices"].shape[1],
    "days": found["prices"].shape[0],
    "yearly": found["yearly"].height,
    "returns": len(found["returns"]),
    "seconds": seconds,
}, sys.stdout)
