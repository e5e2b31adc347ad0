"""Spending with a pension from the eighth year, a new roof, and taxes.

The spending rises with prices. A pension pays a part of it from the eighth year
on, the roof costs once, and what leaves the portfolio is raised so that the
spending is there after taxes. A yearly fee is taken from the value.

Source: Moshe A. Milevsky (2006), The Calculus of Retirement Income, for pensions
beside a portfolio.

Departures: one tax rate on all that is withdrawn; the pension is after taxes.
"""
from harness import flows, withdraw_fixed

NAME = "Pension and taxes"
SYMBOL = "X-PENSION"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "fee": {"type": "number", "default": 0.004, "order": 3},
    "spending": {"type": "number", "default": 45000, "minimum": 0, "maximum": 100000000, "title": "Spending a year, after taxes",
                 "role": "primary", "unit": "money", "order": 4},
    "pension": {"type": "number", "default": 18000, "minimum": 0, "maximum": 100000000, "title": "Pension a year", "unit": "money", "order": 5},
    "roof": {"type": "number", "default": 25000, "minimum": 0, "maximum": 100000000, "title": "Roof, in the fifth year", "unit": "money", "order": 6},
    "tax": {"type": "number", "default": 0.15, "minimum": 0, "maximum": 0.9, "title": "Tax on withdrawals", "unit": "fraction", "order": 7},
}


def simulate(ctx):
    needed = withdraw_fixed(ctx, amount=ctx.inputs.spending) + flows(ctx, [
        {"first": 5, "last": 5, "amount": ctx.inputs.roof},
        {"first": 8, "last": 200, "amount": -ctx.inputs.pension},
    ])
    return max(needed, 0) / (1 - ctx.inputs.tax)
