"""Four per cent of the start value a year, rising with prices, for thirty years.

The plan that everything else is compared with: sixty per cent equities, forty
per cent bonds, and a withdrawal that never looks at the portfolio.

Source: William P. Bengen (1994), Determining Withdrawal Rates Using Historical
Data, Journal of Financial Planning 7(4).

Departures: months are drawn in blocks from the funds' own history, not taken
from the market's history since 1926.
"""
from harness import withdraw_fixed

NAME = "Four per cent for thirty years"
SYMBOL = "X-BENGEN"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "rate": {"type": "number", "default": 0.04, "minimum": 0, "maximum": 1, "title": "Rate of the first year",
             "role": "primary", "unit": "fraction", "order": 3},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
