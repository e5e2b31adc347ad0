"""Compares a lake, as other engines read it, with the files of the runs: lake.py OBJECTS

OBJECTS is the folder of a local bucket. For every account, pyiceberg, DuckDB and Spark
must each find the same numbers of rows of returns and weights as the runs' files have,
and the same sums.
"""
import glob
import importlib.util
import math
import os
import sys

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyiceberg.table import StaticTable

ICEBERG_SPARK = "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.10.0"


def metadata(folder):
    with open(f"{folder}/metadata/version-hint.text") as f:
        return f"{folder}/metadata/v{f.read().strip()}.metadata.json"


def read_table(folder):
    return StaticTable.from_metadata(metadata(folder)).scan().to_arrow()


def read_pyiceberg(account):
    returns, weights = read_table(f"{account}/returns"), read_table(f"{account}/weights")
    return returns.num_rows, pc.sum(returns["return"]).as_py(), weights.num_rows, pc.sum(weights["weight"]).as_py()


def read_files(objects, account):
    """Counts and adds up the files of the runs that the table models names."""
    rows, total, weights, weight = 0, 0.0, 0, 0.0
    for run in read_table(f"{account}/models")["run_id"].to_pylist():
        (path,) = glob.glob(f"{objects}/runs/**/{run}.*daily.parquet", recursive=True)
        t = pq.read_table(path)
        rows += t.num_rows
        total += pc.sum(t["return"]).as_py()
        for name in t.column_names:
            if name.startswith("weight."):
                weights += t.num_rows - t[name].null_count
                weight += pc.sum(t[name]).as_py()
    return rows, total, weights, weight


def read_duckdb(account):
    c = duckdb.connect()
    folder = os.path.dirname(importlib.util.find_spec("duckdb_ext").submodule_search_locations[0])
    for name in ("avro", "iceberg"):
        (path,) = glob.glob(f"{folder}/duckdb_ext/extensions/*/*/{name}.duckdb_extension")
        c.execute(f"LOAD '{path}'")
    returns = c.execute(f"""SELECT count(*), sum("return") FROM iceberg_scan('{metadata(account + "/returns")}')""").fetchone()
    weights = c.execute(f"""SELECT count(*), sum(weight) FROM iceberg_scan('{metadata(account + "/weights")}')""").fetchone()
    return (*returns, *weights)


def read_spark(account):
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[1]").appName("lake")
        .config("spark.jars.packages", ICEBERG_SPARK)
        .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
        .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.lake.type", "hadoop")
        .config("spark.sql.catalog.lake.warehouse", os.path.dirname(account))
        .config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    name = os.path.basename(account)
    returns = spark.sql(f"SELECT count(*), sum(return) FROM lake.`{name}`.returns").first()
    weights = spark.sql(f"SELECT count(*), sum(weight) FROM lake.`{name}`.weights").first()
    return (*returns, *weights)


def same(a, b):
    return all(math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-9) for x, y in zip(a, b))


def main(objects):
    different = False
    for account in sorted(glob.glob(f"{os.path.abspath(objects)}/lake/account_*")):
        want = read_files(objects, account)
        for engine, read in (("pyiceberg", read_pyiceberg), ("duckdb", read_duckdb), ("spark", read_spark)):
            try:
                got = read(account)
            except Exception as e:
                # Only Spark may be missing: it needs Java, and downloads a package.
                if engine != "spark":
                    raise
                print(f"{engine}: skipped: {str(e).splitlines()[0]}")
                continue
            equal = same(want, got)
            different = different or not equal
            verdict = "equal to the files" if equal else f"DIFFERENT from the files, which have {want}"
            print(f"{engine}: {got[0]} rows of returns, sum {got[1]:.12f}; {got[2]} rows of weights, sum {got[3]:.9f}: {verdict}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main(sys.argv[1])
