"""The answer of a script that writes tables, scalars and figures: its form in JSON and in files."""
import csv
import json
import math
import os
import sys

from inputs import UsageError


def table(columns):
    """Return a table; None stands for what is not a finite number."""
    plain = {name: [None if isinstance(x, float) and not math.isfinite(x) else x for x in column] for name, column in columns.items()}
    return {"rows": len(next(iter(plain.values()))), "columns": plain}


def figure(terms):
    """Return a figure; units that it has none of are left out."""
    return {name: term for name, term in zip(("name", "title", "kind", "table", "x", "y", "x_unit", "y_unit"), terms) if term != ""}


def print_json(result):
    """Print an answer as JSON."""
    json.dump(result, sys.stdout, allow_nan=False)
    sys.stdout.write("\n")


def write_rows(stream, columns):
    """Write columns as CSV."""
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(columns)
    rows.writerows(zip(*columns.values()))


def write_tables(folder, tables):
    """Write each table as a CSV file."""
    try:
        os.makedirs(folder, exist_ok=True)
        for name, found in tables.items():
            with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8", newline="") as f:
                write_rows(f, found["columns"])
    except OSError as e:
        raise UsageError("%s cannot be written: %s" % (folder, e.strerror)) from None


def write_scalars(scalars):
    """Print the single numbers of an answer."""
    for name, scalar in scalars.items():
        value = "-" if scalar["value"] is None else "%.6g" % scalar["value"]
        sys.stdout.write("  %-52s %s %s\n" % (scalar["title"] or name, value, scalar["unit"]))
