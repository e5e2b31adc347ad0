"""The permanent portfolio with a fifth more in equities: small companies.

A fifth each in the whole equity market, small companies, long Treasuries, short
Treasuries and gold. It keeps the balance of the permanent portfolio and leans
towards prosperity, the state that economies are mostly in.

Source: Tyler (2016), The Golden Butterfly, portfoliocharts.com.

Departures: small companies of all kinds instead of small value; rebalanced at
each year's end.
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
