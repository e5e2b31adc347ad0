"""Four years of college fees, from the eighth year of the plan on.

Fifty thousand to begin with, six hundred a month until then, and forty thousand
a year, in prices of the start, for four years.

Source: Sanjiv Das, Harry Markowitz, Jonathan Scheid and Meir Statman (2010),
Portfolio Optimization with Mental Accounts, Journal of Financial and Quantitative
Analysis 45(2), for a portfolio of its own for each goal, education among them.

Departures: the same weights to the end; many plans move into bonds as the date
comes near.
"""
from harness import flows

NAME = "College fund"
SYMBOL = "X-COLLEGE"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4], "title": "Weights", "order": 2},
    "start_value": {"type": "number", "default": 50000, "order": 3},
    "years": {"type": "integer", "default": 12, "order": 4},
    "monthly": {"type": "number", "default": 600, "minimum": 0, "maximum": 1000000, "title": "Savings a month",
                "role": "primary", "unit": "money", "order": 5},
    "fees": {"type": "number", "default": 40000, "minimum": 0, "maximum": 10000000, "title": "Fees a year", "unit": "money", "order": 6},
}


def simulate(ctx):
    return flows(ctx, [
        {"first": 1, "last": 7, "amount": -12 * ctx.inputs.monthly, "real": False},
        {"first": 8, "last": 11, "amount": ctx.inputs.fees},
    ])
