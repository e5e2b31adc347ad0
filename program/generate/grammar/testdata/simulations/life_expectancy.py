"""Simulates 28 years from 1,500,000 in CORE, rebalanced monthly.
Withdraws the value divided by the years of the uniform lifetime table, from the age of 72 at
the start.
"""
from harness import life_expectancy

NAME = "Life expectancy from 72, 28 years in CORE"

INPUTS = {
    "universe": {"type": "array", "default": ["CORE"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1500000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 28,
        "title": "Years", "role": "primary", "order": 3},
    "age": {"type": "integer", "default": 72, "minimum": 72, "maximum": 120,
        "title": "Age at the start", "unit": "years", "role": "primary", "order": 4},
}


def simulate(ctx):
    return life_expectancy(ctx, age=ctx.inputs.age)
