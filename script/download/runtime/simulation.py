"""The command line of a simulation."""
import sys

from answer import print_json, write_rows, write_scalars, write_tables
from carry import Carrier
from cli import Parser, command, given_inputs, load, located, start, watched
from frame import align
from harness import HARNESS
from inflation import inflation_of, with_inflation
from inputs import UsageError, bind, schema_of, universe_of, word
from months import month_of, months_of
from outcome import path_result, result_of
from outside import SERIES, Outside, add_series
from pathcontext import PathContext
from plan import LEAST_PATHS, MOST_PATHS, MOST_YEARS, REBALANCES, SOURCES, STEPS, Plan
from spending import RULES

INPUTS = {
    "weights": {"type": "array", "default": None},
    "rebalance": {"type": "string", "default": "monthly", "enum": list(REBALANCES)},
    "start_value": {"type": "number", "default": 1000000.0, "minimum": 0, "maximum": 1e15},
    "years": {"type": "integer", "default": 30, "minimum": 1, "maximum": MOST_YEARS},
    "paths": {"type": "integer", "default": 10000, "minimum": LEAST_PATHS, "maximum": MOST_PATHS},
    "seed": {"type": "integer", "default": 1, "minimum": 0, "maximum": 2**53},
    "source": {"type": "string", "default": "stationary", "enum": list(SOURCES)},
    "block": {"type": "number", "default": 12.0, "minimum": 0, "maximum": 1200},
    "inflation": {"type": "number", "default": 0.025, "minimum": -0.4, "maximum": 1, "format": "series"},
    "fee": {"type": "number", "default": 0.0, "minimum": 0, "maximum": 1},
    "since": {"type": "integer", "default": 0, "minimum": 0, "maximum": 9999},
}
EXAMPLES = (
    "--bars prices.csv.gz", "--bars a.csv b.csv --input NAME=VALUE --json", "--bars prices.csv --input source=history --out result",
    "--bars prices.csv --path 0", "--url https://ballast.example --key bk_...",
)


def begin(meanings, series=None):
    """Record what the entries of the universe and the names of series mean, and where the script starts."""
    SERIES.update(series or {})
    start(meanings, "simulation", "simulate", dict(HARNESS, **RULES))


def main():
    """Run the simulation with the command line's options, and end the process."""
    command(arguments, run)


def arguments(program, script):
    """Read the command line."""
    parser = Parser(program, "Simulates %s." % script["NAME"], EXAMPLES, schema_of(script, INPUTS))
    add = parser.add_argument
    add_series(add)
    add("--path", metavar="N", type=int, help="only this path, 0 the first, whole")
    add("--json", action="store_true", help="print scalars, tables and figures as JSON")
    add("--out", metavar="DIR", help="write each table as a CSV file into this folder")
    return parser.read()


def run(options, script):
    """Simulate, and write the requested output."""
    inputs = bind(script, given_inputs(options), "simulation", INPUTS)
    universe = universe_of(script, inputs)
    step_months = STEPS[word(script, "STEP", list(STEPS))]
    found = load(options, universe)
    months = months_of(align({entry: found[entry] for entry in universe}))
    outside = Outside(options)
    if isinstance(inputs.inflation, str):
        months = inflated(months, inputs.inflation.upper(), outside.whole(inputs.inflation))
    months = months.since(inputs.since)
    plan = plan_of(inputs, months, step_months)
    plan.check()
    if options.path is not None and not 0 <= options.path < plan.paths:
        raise UsageError("path is %d: the simulation has the paths 0 to %d" % (options.path, plan.paths - 1))
    result = watched(script, lambda: simulated(plan, inputs, script["simulate"], options.path))
    if options.out:
        write_tables(options.out, result["tables"])
    if options.json:
        print_json(result)
    elif options.path is not None:
        write_rows(sys.stdout, result["tables"]["path"]["columns"])
    else:
        write_summary(script["NAME"], plan, result["scalars"])


def inflated(months, name, column):
    """Return the months for which a column of a series has inflation, with that inflation."""
    days = [day for day in column.dates if month_of(day) <= month_of(months.ends[-1])]
    return with_inflation(months, name, inflation_of(name, "monthly" if column.monthly else "daily", column.kind, days, column.values))


def plan_of(inputs, months, step_months):
    """Read the plan from the inputs."""
    weights = inputs.weights
    if weights is None:
        weights = [1 / len(months.keys)] * len(months.keys)
    elif not all(isinstance(w, float) for w in weights):
        raise UsageError("input weights has an element that is not a number; it must be an array of numbers")
    return Plan(
        months, weights, inputs.rebalance, inputs.start_value, inputs.years, inputs.paths, inputs.seed, inputs.source,
        inputs.block, 0.0 if isinstance(inputs.inflation, str) else inputs.inflation, inputs.fee, step_months,
    )


def simulated(plan, inputs, simulate, path=None):
    """Return the result of all paths, or of one."""
    context = PathContext(plan, inputs, simulate, located)
    carrier = Carrier(plan, context)
    if path is not None:
        return path_result(plan, *carrier.carry(path))
    carrier.run()
    return result_of(carrier, context._records, plan.step_months)


def write_summary(name, plan, scalars):
    """Print the numbers of the whole run."""
    sys.stdout.write("%s\n  %d paths of %d years, source %s\n" % (name, plan.paths, plan.years, plan.source))
    write_scalars(scalars)
