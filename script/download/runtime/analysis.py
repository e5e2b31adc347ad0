"""The command line of an analysis."""
import sys

from analyses import ANALYSES
from analyst import Analyst
from answer import print_json, write_scalars, write_tables
from cli import Parser, command, given_inputs, load, located, start, watched
from failure import ModelError
from frame import align, iso
from harness import HARNESS
from inputs import UsageError, bind, parse_date, schema_of, universe_of
from outside import SERIES, Outside, add_series
from window import DAILY, Window

INPUTS = {
    "start_date": {"type": "string", "format": "date", "default": None},
    "end_date": {"type": "string", "format": "date", "default": None},
    "series": {"type": "array", "format": "series", "default": []},
}
EXAMPLES = (
    "--bars prices.csv.gz", "--bars a.csv b.csv --input NAME=VALUE --json", "--bars prices.csv --input start_date=2010-01-01 --out result",
    "--url https://ballast.example --key bk_...",
)


def begin(meanings, series=None):
    """Record what the entries of the universe and the names of series mean, and where the script starts."""
    SERIES.update(series or {})
    start(meanings, "analysis", "analyze", dict(HARNESS, **ANALYSES))


def main():
    """Run the analysis with the command line's options, and end the process."""
    command(arguments, run)


def arguments(program, script):
    """Read the command line."""
    parser = Parser(program, "Analyzes %s." % script["NAME"], EXAMPLES, schema_of(script, INPUTS))
    add = parser.add_argument
    add_series(add)
    add("--json", action="store_true", help="print scalars, tables and figures as JSON")
    add("--out", metavar="DIR", help="write each table as a CSV file into this folder")
    return parser.read()


def run(options, script):
    """Analyze, and write the requested output."""
    inputs = bind(script, given_inputs(options), "analysis", INPUTS)
    universe = universe_of(script, inputs)
    first, last = dates_of(inputs)
    found = load(options, universe)
    frame = align({entry: found[entry] for entry in universe})
    try:
        window = Window(frame, outside_of(options, script, inputs, frame.axis[-1]), first, last)
    except ValueError as e:
        raise ModelError(str(e)) from None
    result = watched(script, lambda: analyzed(script, window, inputs))
    if options.out:
        write_tables(options.out, result["tables"])
    if options.json:
        print_json(result)
    else:
        days = window.rows(DAILY).dates
        sys.stdout.write("%s\n  %s to %s\n" % (script["NAME"], iso(days[0]), iso(days[-1])))
        write_scalars(result["scalars"])
        for name, table in result["tables"].items():
            sys.stdout.write("  %-52s %d rows\n" % ("table " + name, table["rows"]))


def outside_of(options, script, inputs, end):
    """Return the columns of series that inputs name, as returns up to the last session of the members."""
    named = []
    for name, terms in schema_of(script, INPUTS).items():
        if terms.get("format") == "series":
            value = inputs[name]
            named += [value] if isinstance(value, str) else value or []
    outside = Outside(options)
    return [(key,) + outside.earned(key, end) for key in sorted({reference.upper() for reference in named})]


def dates_of(inputs):
    """Return the first and the last day; None does not limit."""
    first, last = [None if date is None else parse_date(date) for date in (inputs.start_date, inputs.end_date)]
    if first and last and first > last:
        raise UsageError("input end_date is %s, before start_date, %s" % (iso(last), iso(first)))
    return first, last


def analyzed(script, window, inputs):
    """Return what the script finds."""
    ctx = Analyst(window, inputs)
    try:
        returned = script["analyze"](ctx)
    except Exception as e:
        raise ModelError(located(e)[0]) from None
    if returned is not None and not isinstance(returned, dict):
        raise ModelError("analyze returned a %s; it returns None, or what a function of the harness returned: "
                         "write results with ctx.table and ctx.scalar" % type(returned).__name__)
    if not ctx._sheet.tables and not ctx._sheet.scalars:
        raise ModelError("analyze found nothing: call a function of the harness such as correlation(ctx, keys), "
                         "or write a result with ctx.table or ctx.scalar")
    return ctx._sheet.answer()
