"""What the command lines of all kinds of scripts share."""
import argparse
import json
import os
import sys
import traceback
import types

from bars import read
from dialect import DAY
from entries import MEANINGS, symbols_of
from failure import ModelError
from inputs import UsageError, listed, nearest
from service import Service

SCRIPT = {}  # globals: the script's names; line: the line of this file before the script; kind; entry: the function that is called


def start(meanings, kind, entry, functions):
    """Record what the entries of the universe mean and where the script starts: on the line after the call of begin."""
    MEANINGS.update(meanings)
    caller = sys._getframe(2)
    SCRIPT.update(globals=caller.f_globals, line=caller.f_lineno, kind=kind, entry=entry)
    harness = sys.modules["harness"] = types.ModuleType("harness")
    harness.__dict__.update(functions)


def command(arguments, run):
    """Run the script with the command line's options, and end the process."""
    program = os.path.basename(sys.argv[0])
    if program in ("", "-", "-c"):  # the file was piped in
        program = SCRIPT["kind"] + ".py"
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal may not be able to show a letter of a name
    try:
        run(arguments(program, SCRIPT["globals"]), SCRIPT["globals"])
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
    """A parser with the options that all kinds have. Its errors are one line."""

    def __init__(self, program, description, examples, terms):
        """Show examples and the inputs of the script, with their terms, below the options."""
        lines = ["bars come from files, or from the service:"]
        lines += ["  python3 %s %s" % (program, example) for example in examples]
        lines += [
            "", "Files are CSV, plain or gzipped, with the columns symbol, date and adj_close (or close, dividend",
            "and split, or total_return), or with a date column and one column of adjusted prices per symbol.", "",
            "inputs of this %s:" % SCRIPT["kind"],
        ]
        lines += ["  %-16s %s, %s" % (name, t["type"], json.dumps(t["default"])) for name, t in terms.items()]
        argparse.ArgumentParser.__init__(
            self, prog=program, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
            description=literal(description), epilog=literal("\n".join(lines)),
        )
        add = self.add_argument
        add("--bars", metavar="FILE", nargs="+", action="append", default=[], help="files of bars")
        add("--url", metavar="BASE", help="read the bars from the service at this address")
        add("--key", default=os.environ.get("BALLAST_KEY", ""), help="key for the service; default: the environment variable BALLAST_KEY")
        add("--input", metavar="NAME=VALUE", action="append", default=[], help="value of an input, in JSON or plain text")
        add("--delisted", metavar="SYMBOL", action="append", default=[], help="a member in the files whose last bar is final")

    def read(self):
        """Read the command line."""
        options = self.parse_args()
        options.bars = [path for paths in options.bars for path in paths]
        if bool(options.bars) == bool(options.url):
            raise UsageError("give either --bars FILE or --url BASE (see --help)")
        return options

    def error(self, text):
        fail(self.prog, 2, text + " (see --help)")


def literal(text):
    """Escape a text of the script so that argparse does not interpolate it."""
    return text.replace("%", "%%") if "%(prog)" in text else text


def given_inputs(options):
    """Return the inputs given with --input."""
    given = {}
    for pair in options.input:
        name, sign, text = pair.partition("=")
        if not name or not sign:
            raise UsageError("input %r: write it as name=value" % pair)
        try:
            given[name] = json.loads(text)
        except ValueError:
            given[name] = text
    return given


def load(options, universe, also=()):
    """Return the series of the universe's entries and of those that are also needed, by entry."""
    entries = list(universe) + [entry for entry in also if entry not in universe]
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
    return found


def located(error):
    """Return the message of an error of the script, with its line, and the decision's day."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    kind = "" if isinstance(error, (ValueError, TypeError)) else type(error).__name__ + ": "
    if isinstance(error, (KeyError, AttributeError)) and "; " in text:
        kind = ""
    script = SCRIPT["globals"]
    line = script[SCRIPT["entry"]].__code__.co_firstlineno
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_globals is script:
            line = number
    return "error in line %d of the script (%d of this file): %s%s" % (line - SCRIPT["line"], line, kind, text), DAY[0]


def watched(script, work):
    """Return what work returns, or raise an error if it changes constants of the script."""
    constants = fingerprint(script)
    result = work()
    changed = [name for name, value in fingerprint(script).items() if constants.get(name) != value]
    if changed:
        raise ModelError("%s changes %s, but module-level values are constants and do not change from one decision to "
                         "the next" % (SCRIPT["entry"], ", ".join(changed)))
    return result


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
