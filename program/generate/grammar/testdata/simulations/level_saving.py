"""Simulates 25 years from 10,000 in VTI, rebalanced monthly.
Pays in 6,000 a year, the same amount every year.
"""
from harness import contribute

NAME = "Saving 6,000 a year, 25 years in VTI"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 10000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 25,
        "title": "Years", "role": "primary", "order": 3},
    "saving": {"type": "number", "default": 6000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Saving", "description": "In the first year", "unit": "usd", "role": "primary", "order": 4},
}


def simulate(ctx):
    return contribute(ctx, amount=ctx.inputs.saving, growth=0)
