"""Simulates 30 years from 1,000,000 in SPY, rebalanced monthly.
Withdraws 4% of the start value a year, rising with inflation.
Inflation is that of the series CPI.ALL, in the same months as the returns.
4% is of the value at the start of the withdrawals; say 4% of the portfolio each year for a
share of what is there.
"""
from harness import withdraw_fixed

NAME = "4% of the start value, 30 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 3},
    "rate": {"type": "number", "default": 0.04, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 4},
    "inflation": {"type": "number", "default": "CPI.ALL",
        "title": "Inflation", "role": "advanced", "order": 5},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
