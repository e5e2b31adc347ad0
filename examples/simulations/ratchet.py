"""Four per cent in real money, raised for good once the portfolio is far ahead.

The income is never cut. It rises by a tenth in each year that begins with half
as much again as at the start, in its prices.

Source: Michael Kitces (2015), The Ratcheting Safe Withdrawal Rate: A More
Dominant Version of the 4 % Rule?, kitces.com.

Departures: it may rise each year; the source lets three years pass between two
raises.
"""
from harness import ratchet

NAME = "Ratchet"
SYMBOL = "X-RATCHET"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "rate": {"type": "number", "default": 0.04, "minimum": 0, "maximum": 1, "title": "Rate of the first year",
             "role": "primary", "unit": "fraction", "order": 3},
}


def simulate(ctx):
    return ratchet(ctx, ctx.inputs.rate, raise_by=0.1, above=1.5)
