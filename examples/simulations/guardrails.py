"""An income that rises with prices until the portfolio says otherwise.

Each year without a loss the withdrawal rises with prices. Where it has become a
fifth more of the value than at first it is cut by a tenth, where it has become a
fifth less it is raised by a tenth.

Source: Jonathan T. Guyton and William J. Klinger (2006), Decision Rules and
Maximum Initial Withdrawal Rates, Journal of Financial Planning 19(3).

Departures: the portfolio rule (which asset pays) is left out; the members are
rebalanced each month.
"""
from harness import guyton_klinger

NAME = "Guardrails"
SYMBOL = "X-GUARD"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.65, 0.35], "title": "Weights", "order": 2},
    "rate": {"type": "number", "default": 0.05, "minimum": 0, "maximum": 1, "title": "Rate of the first year",
             "role": "primary", "unit": "fraction", "order": 3},
    "guard": {"type": "number", "default": 0.2, "minimum": 0, "maximum": 1, "title": "Distance of the guardrails", "order": 4},
    "change": {"type": "number", "default": 0.1, "minimum": 0, "maximum": 1, "title": "Cut and raise", "order": 5},
}


def simulate(ctx):
    return guyton_klinger(ctx, ctx.inputs.rate, guard=ctx.inputs.guard, change=ctx.inputs.change)
