"""The command line of a model."""
import argparse
import json
import os
import sys
import traceback
import types

from bars import read
from context import Context, read_target
from dialect import DAY
from entries import MEANINGS, symbols_of
from engine import Engine, ModelError, Spec, warning_texts
from frame import align, iso
from harness import HARNESS
from inputs import UsageError, bind, listed, nearest, parse_date, schedule_of, universe_of, word
from metrics import compute
from report import result_object, write_folder, write_table
from service import Service

MODEL = {}  # globals: the script's names; line: the line of this file before the script


def begin(meanings):
    """Record what the entries of the universe mean and where the script starts: on the line after the call."""
    MEANINGS.update(meanings)
    caller = sys._getframe(1)
    MODEL.update(globals=caller.f_globals, line=caller.f_lineno)
    harness = sys.modules["harness"] = types.ModuleType("harness")
    harness.__dict__.update(HARNESS)


def main():
    """Run the model with the command line's options, and end the process."""
    program = os.path.basename(sys.argv[0])
    if program in ("", "-", "-c"):  # the file was piped in
        program = "model.py"
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal may not be able to show a letter of a name
    try:
        run(arguments(program, MODEL["globals"]), MODEL["globals"])
        sys.stdout.flush()
    except UsageError as e:
        fail(program, 2, str(e))
    except ModelError as e:
        fail(program, 1, (e.day + ": " if e.day else "") + str(e))
    except BrokenPipeError:  # the reader of the output has stopped, such as head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def fail(program, code, text):
    sys.stderr.write("%s: %s\n" % (program, " ".join(text.split())))
    sys.exit(code)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, text):
        fail(self.prog, 2, text + " (see --help)")


def literal(text):
    """Escape a text of the model so that argparse does not interpolate it."""
    return text.replace("%", "%%") if "%(prog)" in text else text


def arguments(program, script):
    """Read the command line."""
    examples = (
        "bars come from files, or from the service:", "  %(p)s --bars prices.csv.gz",
        "  %(p)s --bars a.csv b.csv --input NAME=VALUE --json", "  %(p)s --bars prices.csv --start-date 2010-01-01 --out result",
        "  %(p)s --url https://ballast.example --key bk_...", "",
        "Files are CSV, plain or gzipped, with the columns symbol, date and adj_close (or close, dividend",
        "and split, or total_return), or with a date column and one column of adjusted prices per symbol.", "",
        "inputs of this model:",
    )
    terms = dict(script.get("INPUTS", {}))
    terms.update(start_date={"type": "string", "default": None}, initial_cash={"type": "number", "default": 10000.0})
    inputs = ["  %-16s %s, %s" % (name, t["type"], json.dumps(t["default"])) for name, t in terms.items()]
    parser = Parser(
        prog=program, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description=literal("Backtests %s." % script["NAME"]),
        epilog=literal("\n".join(line.replace("%(p)s", "python3 " + program) for line in examples) + "\n" + "\n".join(inputs)),
    )
    add = parser.add_argument
    add("--bars", metavar="FILE", nargs="+", action="append", default=[], help="files of bars")
    add("--url", metavar="BASE", help="read the bars from the service at this address")
    add("--key", default=os.environ.get("BALLAST_KEY", ""), help="key for the service; default: the environment variable BALLAST_KEY")
    add("--input", metavar="NAME=VALUE", action="append", default=[], help="value of an input, in JSON or plain text")
    add("--start-date", metavar="DATE", help="date before which nothing is traded")
    add("--initial-cash", metavar="AMOUNT", type=float, help="cash that the model starts with")
    add("--delisted", metavar="SYMBOL", action="append", default=[], help="a member in the files whose last bar is final")
    add("--benchmark", metavar="SYMBOL", help="symbol to compare with in the metrics")
    add("--risk-free", metavar="RATE", type=float, default=0.0, help="annual risk-free rate for the metrics, as a fraction: 0.04 is 4 %%")
    add("--json", action="store_true", help="print metrics, returns, weights and ledger as JSON")
    add("--out", metavar="DIR", help="write daily.csv and ledger.csv into this folder")
    options = parser.parse_args()
    options.bars = [path for paths in options.bars for path in paths]
    if bool(options.bars) == bool(options.url):
        raise UsageError("give either --bars FILE or --url BASE (see --help)")
    if not -1 < options.risk_free <= 1:
        raise UsageError("--risk-free is %s; it must be a fraction above -1 and at most 1, such as 0.04 for 4 %% a year" % options.risk_free)
    return options


def given_inputs(options):
    """Return the inputs given on the command line."""
    given = {}
    for pair in options.input:
        name, sign, text = pair.partition("=")
        if not name or not sign:
            raise UsageError("input %r: write it as name=value" % pair)
        try:
            given[name] = json.loads(text)
        except ValueError:
            given[name] = text
    if options.start_date is not None:
        given["start_date"] = options.start_date
    if options.initial_cash is not None:
        given["initial_cash"] = options.initial_cash
    return given


def run(options, script):
    """Backtest the script and write the requested output."""
    inputs = bind(script, given_inputs(options))
    universe = universe_of(script, inputs)
    start_date = inputs.start_date
    spec = Spec(
        schedule_of(script), word(script, "FILL", ("close", "next_close")),
        word(script, "START", ("all_members", "two_members", "first_member")),
        None if start_date is None else parse_date(start_date), inputs.initial_cash,
    )
    sources, benchmark = load(options, universe)
    frame = align(sources)
    result = backtest(script, frame, spec, inputs)
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


def load(options, universe):
    """Return the members' series by entry, and the benchmark."""
    entries = list(universe)
    if options.benchmark and options.benchmark.upper() not in [e.upper() for e in entries]:
        entries.append(options.benchmark)
    delisted = [s.upper() for s in options.delisted]
    for s in delisted:
        if s not in [symbol for e in universe for symbol in symbols_of(e)]:
            raise UsageError("--delisted %s is not in the universe%s" % (s, nearest(s, universe)))
    if options.url:
        found, known = Service(options.url, options.key).read(entries), []
        for entry in found:
            found[entry].delisted = found[entry].delisted or any(symbol in delisted for symbol in symbols_of(entry))
    else:
        found, known = read(options.bars, entries, delisted)
    for entry in entries:
        if entry not in found:
            what = "the universe names" if entry in universe else "the benchmark is"
            have = "; the files have %s" % listed(known) if known else ""
            where = "the service" if options.url else "the files"
            raise UsageError("%s %s, which %s do%s not have%s%s"
                             % (what, entry, where, "es" if options.url else "", nearest(entry, known), have))
    benchmark = None
    if options.benchmark:
        key = [e for e in entries if e.upper() == options.benchmark.upper()][0]
        s = found[key]
        benchmark = (options.benchmark.upper(), iso(s.base), [iso(day) for day in s.dates], s.returns)
    return {entry: found[entry] for entry in universe}, benchmark


def backtest(script, frame, spec, inputs):
    """Run the script's decide through the engine."""
    constants = fingerprint(script)
    context = []

    def decide(engine):
        if not context:
            context.append(Context(engine, inputs))
        context[0]._begin()
        try:
            return read_target(engine, script["decide"](context[0]))
        except Exception as e:
            raise ModelError(*located(e, script)) from None
        finally:
            DAY[0] = ""

    result = Engine(frame, spec, decide).run()
    changed = [name for name, value in fingerprint(script).items() if constants.get(name) != value]
    if changed:
        raise ModelError("decide changes %s, but module-level values are constants and do not change from one decision to "
                         "the next" % ", ".join(changed))
    return result


def located(error, script):
    """Return the message of an error of the script, with its line, and the decision's day."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    kind = "" if isinstance(error, (ValueError, TypeError)) else type(error).__name__ + ": "
    if isinstance(error, (KeyError, AttributeError)) and "; " in text:
        kind = ""
    line = script["decide"].__code__.co_firstlineno
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_globals is script:
            line = number
    return "error in line %d of the script (%d of this file): %s%s" % (line - MODEL["line"], line, kind, text), DAY[0]


def fingerprint(script):
    """Return the values of the script's names, down to the elements of lists and dictionaries."""
    def of(value):
        if isinstance(value, (str, int, float, type(None))):
            return type(value), value
        if isinstance(value, dict):
            return "dict", tuple((of(k), of(v)) for k, v in value.items())
        if isinstance(value, (list, tuple)) or type(value).__name__ == "set":
            return type(value), tuple(map(of, value))
        return id(value), of(getattr(value, "__defaults__", None))

    return {name: of(value) for name, value in script.items() if not name.startswith("__")}
