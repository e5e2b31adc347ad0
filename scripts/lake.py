"""Reads a lake in several engines and holds each to the runs' own files:
python lake.py OBJECTS [SPARK_JAR]

OBJECTS is a bucket that is a folder. For every account: rows, the sum of returns, and
the sum of weights on all days, from pyiceberg, DuckDB and Spark.
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


def iceberg(folder):
    return StaticTable.from_metadata(metadata(folder)).scan().to_arrow()


def in_pyiceberg(account):
    returns, weights = iceberg(f"{account}/returns"), iceberg(f"{account}/weights")
    return returns.num_rows, pc.sum(returns["return"]).as_py(), weights.num_rows, pc.sum(weights["weight"]).as_py()


def in_files(objects, account):
    """The same from the files of the runs that the lake's models name."""
    rows, total, weights, weight = 0, 0.0, 0, 0.0
    for run in iceberg(f"{account}/models")["run_id"].to_pylist():
        (path,) = glob.glob(f"{objects}/runs/**/{run}.*daily.parquet", recursive=True)
        t = pq.read_table(path)
        rows += t.num_rows
        total += pc.sum(t["return"]).as_py()
        for name in t.column_names:
            if name.startswith("weight."):
                weights += t.num_rows - t[name].null_count
                weight += pc.sum(t[name]).as_py()
    return rows, total, weights, weight


def in_duckdb(account):
    c = duckdb.connect()
    folder = os.path.dirname(importlib.util.find_spec("duckdb_ext").submodule_search_locations[0])
    for name in ("avro", "iceberg"):
        (path,) = glob.glob(f"{folder}/duckdb_ext/extensions/*/*/{name}.duckdb_extension")
        c.execute(f"LOAD '{path}'")
    returns = c.execute(f"""SELECT count(*), sum("return") FROM iceberg_scan('{metadata(account + "/returns")}')""").fetchone()
    weights = c.execute(f"""SELECT count(*), sum(weight) FROM iceberg_scan('{metadata(account + "/weights")}')""").fetchone()
    return (*returns, *weights)


def in_spark(account):
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
    wrong = 0
    for account in sorted(glob.glob(f"{os.path.abspath(objects)}/lake/account_*")):
        want = in_files(objects, account)
        for name, read in (("pyiceberg", in_pyiceberg), ("duckdb", in_duckdb), ("spark", in_spark)):
            try:
                got = read(account)
            except Exception as e:  # an engine that cannot be had here
                if name != "spark":
                    raise
                print(f"{name}: skipped: {str(e).splitlines()[0]}")
                continue
            verdict = "the same" if same(want, got) else f"DIFFERS from the files' {want}"
            wrong += verdict != "the same"
            print(f"{name}: {got[0]} rows of returns, sum {got[1]:.12f}; {got[2]} rows of weights, sum {got[3]:.9f}: {verdict}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1])
