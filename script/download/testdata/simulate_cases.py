"""Run simulations: cases in JSON on stdin, results in JSON on stdout."""
import json
import sys

request = json.load(sys.stdin)
sys.path.insert(0, request["runtime"])

from cli import SCRIPT  # noqa: E402
from inputs import Inputs  # noqa: E402
from months import Months  # noqa: E402
from philox import Philox  # noqa: E402
from plan import Plan  # noqa: E402
from simulation import simulated  # noqa: E402
from spending import RULES  # noqa: E402


def result(case):
    names = dict(RULES)
    exec(case["source"], names)
    SCRIPT.update(globals=names, line=0, kind="simulation", entry="simulate")
    plan = Plan(Months(**case["months"]), **case["plan"])
    plan.check()
    return [simulated(plan, Inputs({}), names["simulate"], path) for path in [None] + case["paths"]]


answers = {
    "results": [result(case) for case in request["cases"]],
    "numbers": [[x.hex() for x in Philox(seed, n).uniforms(path)] for seed, path, n in request["numbers"]],
}
json.dump(answers, sys.stdout, allow_nan=False)
