"""A retirement on a strategy that trades, with its true daily history.

The member is a model that holds two models: its months are those of its own
daily returns, with their tails and their quiet years, not a mean and a
deviation. What trading and advice cost is laid over as a yearly fee.

Source: Dimitris N. Politis and Joseph P. Romano (1994), The Stationary Bootstrap,
Journal of the American Statistical Association 89(428), for drawing from a
history without losing its order.

Departures: the mean block has the length that the data ask for, after Patton,
Politis and White (2009).
"""
from harness import withdraw_fixed

NAME = "A strategy for life"
SYMBOL = "X-FORLIFE"

INPUTS = {
    "universe": {"type": "array", "default": ["X-MODELS"], "title": "The model", "order": 1},
    "block": {"type": "number", "default": 0, "order": 2},
    "fee": {"type": "number", "default": 0.006, "order": 3},
    "rate": {"type": "number", "default": 0.035, "minimum": 0, "maximum": 1, "title": "Rate of the first year",
             "role": "primary", "unit": "fraction", "order": 4},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
