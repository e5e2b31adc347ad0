"""The value divided by the years that are left to live, from the tax table.

The rule of required minimum distributions: the part that is paid grows with
age, and the money lasts as long as the table does.

Source: Wei Sun and Anthony Webb (2012), Should Households Base Asset Decumulation
Strategies on Required Minimum Distribution Tables?, Center for Retirement
Research at Boston College 2012-10; the table is 26 CFR 1.401(a)(9)-9(c) of 2022.

Departures: a single portfolio without dividends apart, and no tax.
"""
from harness import life_expectancy

NAME = "Life expectancy"
SYMBOL = "X-LIFE"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.5, 0.5], "title": "Weights", "order": 2},
    "years": {"type": "integer", "default": 25, "order": 3},
    "age": {"type": "integer", "default": 72, "minimum": 72, "maximum": 95, "title": "Age at the start", "role": "primary", "order": 4},
}


def simulate(ctx):
    return life_expectancy(ctx, ctx.inputs.age)
