"""The permanent portfolio with a fifth more in equities: small companies.

A fifth each in the whole equity market, small companies, long Treasuries, short
Treasuries and gold. It keeps the balance of the permanent portfolio and favours
prosperity, because economies grow most of the time.

Source: Tyler (2016), The Golden Butterfly, portfoliocharts.com.

Departures: small companies of all kinds instead of small value; rebalanced at
the end of each year.
"""
from harness import equal_weight

NAME = "Golden butterfly"
SYMBOL = "X-BUTTERFLY"
SCHEDULE = "yearly"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "IWM", "TLT", "SHY", "GLD"],
                 "title": "Equities, small equities, long bonds, short bonds, gold", "order": 1},
}


def decide(ctx):
    return equal_weight(ctx.inputs.universe)
