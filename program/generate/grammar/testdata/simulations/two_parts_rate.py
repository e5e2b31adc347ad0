"""Simulates 50 years from nothing in 60% SPY and 40% AGG, rebalanced monthly.
Years 1 to 20: pays in 12,000 a year, rising with inflation.
Years 21 to 50: withdraws 4% a year of the value at the beginning of this part, rising with
inflation.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
4% is of the value at the start of the withdrawals; say 4% of the portfolio each year for a
share of what is there.
Withdrawals rise with inflation, unless it is said that they do not.
It starts with nothing.
"""
from harness import contribute, ratchet

NAME = "Saving and spending, 50 years in 60% SPY and 40% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 0.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 50,
        "title": "Years", "role": "primary", "order": 4},
    "part_1_years": {"type": "integer", "default": 20, "minimum": 1, "maximum": 200,
        "title": "Part 1: years", "unit": "years", "role": "primary", "order": 5},
    "part_1_saving": {"type": "number", "default": 12000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Part 1: saving", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 6},
    "part_2_rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Part 2: withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 7},
}


def simulate(ctx):
    if ctx.step < ctx.inputs.part_1_years:
        money = contribute(ctx, amount=ctx.inputs.part_1_saving)
    else:
        money = ratchet(ctx, rate=ctx.inputs.part_2_rate, raise_by=0)
    return money
