"""What each past start of a retirement on sixty-forty would have given.

Every month of the funds' history that fifteen years follow begins a path of its
own, in order: outcomes names its start. Nothing is drawn at random.

Source: William P. Bengen (1994), Determining Withdrawal Rates Using Historical
Data, Journal of Financial Planning 7(4), for past starts one by one.

Departures: fifteen years from 2003 on in place of thirty from 1926 on, since the
funds are no older; four and a half per cent at first.
"""
from harness import withdraw_fixed

NAME = "Every past start"
SYMBOL = "X-PAST"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "years": {"type": "integer", "default": 15, "order": 3},
    "source": {"type": "string", "default": "history", "order": 4},
    "rate": {"type": "number", "default": 0.045, "minimum": 0, "maximum": 1, "title": "Rate of the first year",
             "role": "primary", "unit": "fraction", "order": 5},
}


def simulate(ctx):
    return withdraw_fixed(ctx, rate=ctx.inputs.rate)
