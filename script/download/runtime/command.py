"""The command line of a model."""
import json
import sys

from cli import Parser, command, given_inputs, load, located, start, watched
from context import Context, read_target
from dialect import DAY
from engine import Engine, Spec, warning_texts
from failure import ModelError
from frame import align, iso
from harness import HARNESS
from inputs import MODEL_INPUTS, UsageError, bind, parse_date, schedule_of, schema_of, universe_of, word
from metrics import compute
from optimizers import optimize, set_bars_per_year, set_optimizers
from outside import SERIES, Outside, add_series
from report import result_object, write_folder, write_table

EXAMPLES = (
    "--bars prices.csv.gz", "--bars a.csv b.csv --input NAME=VALUE --json", "--bars prices.csv --start-date 2010-01-01 --out result",
    "--url https://ballast.example --key bk_...",
)


def begin(meanings, series=None, optimizers=None):
    """Record what the universe's entries, series and optimizers mean, and where the script starts."""
    SERIES.update(series or {})
    set_optimizers(optimizers or {})
    start(meanings, "model", "decide", dict(HARNESS, optimize=optimize))


def main():
    """Run the model with the command line's options, and end the process."""
    command(arguments, run)


def arguments(program, script):
    """Read the command line."""
    parser = Parser(program, "Backtests %s." % script["NAME"], EXAMPLES, schema_of(script, MODEL_INPUTS))
    add = parser.add_argument
    add_series(add)
    add("--start-date", metavar="DATE", help="date before which nothing is traded")
    add("--initial-cash", metavar="AMOUNT", type=float, help="cash that the model starts with")
    add("--benchmark", metavar="SYMBOL", help="symbol to compare with in the metrics")
    add("--risk-free", metavar="RATE", type=float, default=0.0, help="annual risk-free rate for the metrics, as a fraction: 0.04 is 4 %%")
    add("--json", action="store_true", help="print metrics, returns, weights and ledger as JSON")
    add("--out", metavar="DIR", help="write daily.csv and ledger.csv into this folder")
    options = parser.read()
    if not -1 < options.risk_free <= 1:
        raise UsageError("--risk-free is %s; it must be a fraction above -1 and at most 1, such as 0.04 for 4 %% a year" % options.risk_free)
    return options


def run(options, script):
    """Backtest the script and write the requested output."""
    given = given_inputs(options)
    if options.start_date is not None:
        given["start_date"] = options.start_date
    if options.initial_cash is not None:
        given["initial_cash"] = options.initial_cash
    inputs = bind(script, given, "model", MODEL_INPUTS)
    universe = universe_of(script, inputs)
    start_date = inputs.start_date
    spec = Spec(
        schedule_of(script), word(script, "FILL", ("close", "next_close")),
        word(script, "START", ("all_members", "two_members", "first_member")),
        None if start_date is None else parse_date(start_date), inputs.initial_cash,
    )
    sources, benchmark = loaded(options, universe)
    frame = align(sources)
    set_bars_per_year(frame.bars_per_year)
    result = backtest(script, frame, spec, inputs, Outside(options))
    for line in warning_texts(result):
        sys.stderr.write("warning: %s\n" % line)
    dates = [iso(day) for day in frame.axis[result.base:]]
    metrics = compute(dates[0], dates[1:], result.returns[1:], frame.bars_per_year, risk_free=options.risk_free,
                      gross=result.gross[1:], traded=result.traded[1:], benchmark=benchmark)
    if options.out:
        write_folder(options.out, dates, result)
    if options.json:
        json.dump(result_object(metrics, dates, result), sys.stdout, allow_nan=False)
        sys.stdout.write("\n")
    else:
        write_table(script["NAME"], metrics, dates, result)


def loaded(options, universe):
    """Return the members' series by entry, and the benchmark."""
    benchmark = None
    if options.benchmark:
        key = ([e for e in universe if e.upper() == options.benchmark.upper()] or [options.benchmark])[0]
        found = load(options, universe, [key])
        s = found[key]
        benchmark = (options.benchmark.upper(), iso(s.base), [iso(day) for day in s.dates], s.returns)
    else:
        found = load(options, universe)
    return {entry: found[entry] for entry in universe}, benchmark


def backtest(script, frame, spec, inputs, outside):
    """Run the script's decide through the engine."""
    context = []

    def decide(engine):
        if not context:
            context.append(Context(engine, inputs, outside))
        context[0]._begin()
        try:
            return read_target(engine, script["decide"](context[0]))
        except UsageError:
            raise
        except Exception as e:
            raise ModelError(*located(e)) from None
        finally:
            DAY[0] = ""

    return watched(script, Engine(frame, spec, decide).run)
