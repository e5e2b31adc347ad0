"""Time the client beside what it rests on: python scripts/bench.py (BALLAST_BINARY names the program).

A history of 20 years into polars beside its request alone, and 1.4 million bars into pandas
beside pyarrow on the same bytes. Medians, in milliseconds.
"""

from __future__ import annotations

import datetime
import random
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow as pa

import ballast
from ballast.core import ARROW, request

ASSETS, YEARS = 280, 20


def bars(path: Path) -> None:
    chance = random.Random(1)
    day, days = datetime.date(2000, 1, 3), []
    while day < datetime.date(2000 + YEARS, 1, 1):
        if day.weekday() < 5:
            days.append(day.isoformat())
        day += datetime.timedelta(1)
    with open(path, "w") as file:
        file.write("symbol,date,adj_close\n")
        for n in range(ASSETS):
            price = 100.0
            for d in days:
                price *= 1 + chance.gauss(0.0003, 0.01)
                file.write(f"A{n:03},{d},{price:.4f}\n")


def median(work: Callable[[], Any], times: int) -> float:
    taken = []
    for _ in range(times):
        begun = perf_counter()
        work()
        taken.append(1000 * (perf_counter() - begun))
    return statistics.median(taken)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bars.csv"
        bars(file)
        with ballast.local(bars=file) as b:
            m = b.models.create("60% A000, 40% A001, quarterly").wait()
            query = {"include": ["returns", "allocation"]}
            sent = request("GET", ("v1", "models", m.id, "history"), query, accept=ARROW)
            alone = median(lambda: b.raw(sent), 200)
            whole = median(lambda: m.history("returns", "allocation").to_polars(), 200)
            print(f"20 years into polars {whole:.2f}, the request alone {alone:.2f}")
            got = b.raw(request("GET", ("v1", "exports", "bars"), accept=ARROW))
            rows = len(ballast.Table.read(got))
            plain = median(lambda: pa.ipc.open_stream(got.content).read_all().to_pandas(date_as_object=False), 7)
            ours = median(lambda: ballast.Table.read(got).to_pandas(), 7)
            print(f"{rows} bars into pandas {ours:.0f}, pyarrow {plain:.0f}, ratio {ours / plain:.2f}")


if __name__ == "__main__":
    main()
