"""60 % equities and 40 % bonds, rebalanced at the end of each month.

The balanced portfolio that others are compared with: one equity fund, one bond
fund, weights that do not depend on prices.

Source: Harry Markowitz (1952), Portfolio Selection, for the reason to mix; the
split itself is the convention of pension funds and balanced funds.

Departures: none; monthly rebalancing is a common choice, not a rule.
"""

NAME = "Sixty forty"
SYMBOL = "X-6040"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "equity": {"type": "number", "default": 0.6, "minimum": 0, "maximum": 1, "title": "Share of equities",
               "role": "primary", "unit": "fraction", "order": 2},
}


def decide(ctx):
    equities, bonds = ctx.inputs.universe
    return {equities: ctx.inputs.equity, bonds: 1 - ctx.inputs.equity}
