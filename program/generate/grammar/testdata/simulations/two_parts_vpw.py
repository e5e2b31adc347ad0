"""Simulates 60 years from 100,000 in VTI, rebalanced monthly.
Years 1 to 25: pays in 24,000 a year, rising with inflation.
Years 26 to 60: withdraws by VPW: the payment of an annuity over the years left, at a real
return of 3% a year.
Amounts are in prices of the start and rise with inflation, unless it is said that they do not.
No real return was given for the payments, so they count on 3% a year.
"""
from harness import contribute, vpw

NAME = "Saving and spending, 60 years in VTI"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 100000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 60,
        "title": "Years", "role": "primary", "order": 3},
    "part_1_years": {"type": "integer", "default": 25, "minimum": 1, "maximum": 200,
        "title": "Part 1: years", "unit": "years", "role": "primary", "order": 4},
    "part_1_saving": {"type": "number", "default": 24000.0, "minimum": 0.0, "maximum": 1000000000000000.0,
        "title": "Part 1: saving", "description": "A year, in prices of the start", "unit": "usd", "role": "primary", "order": 5},
    "part_2_real_return": {"type": "number", "default": 0.03, "minimum": 0.0, "maximum": 1.0,
        "title": "Part 2: real return", "description": "That the payments count on, a year", "role": "primary", "order": 6},
}


def simulate(ctx):
    if ctx.step < ctx.inputs.part_1_years:
        money = contribute(ctx, amount=ctx.inputs.part_1_saving)
    else:
        money = vpw(ctx, rate=ctx.inputs.part_2_real_return)
    return money
