"""How much a million pays for forty years, with a chance of nine in ten.

The table rates has the answer: the highest rate whose success is at least 0.9.
The plan itself withdraws a fixed rate near it, so that the bands show what such
a plan looks like.

Source: Philip L. Cooley, Carl M. Hubbard and Daniel T. Walz (1998), Retirement
Savings: Choosing a Withdrawal Rate That Is Sustainable, AAII Journal 20(2), for
success as a function of the rate.

Departures: months are drawn in blocks, and the rate is that of monthly payments
at the beginning of each month.
"""
from harness import withdraw_fixed

NAME = "Spending from a million for forty years"
SYMBOL = "X-SPEND"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "start_value": {"type": "number", "default": 1000000, "order": 3},
    "years": {"type": "integer", "default": 40, "order": 4},
    "rate": {"type": "number", "default": 0.04, "minimum": 0, "maximum": 1, "title": "Rate of the first year",
             "role": "primary", "unit": "fraction", "order": 5},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
