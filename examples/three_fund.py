"""The whole home equity market, some foreign equities, and bonds.

Three broad index funds hold nearly everything at nearly no cost. The split is
up to the investor; Bogle advised at most a fifth of equities abroad.

Source: Taylor Larimore (2018), The Bogleheads' Guide to the Three-Fund
Portfolio; John C. Bogle (1999), Common Sense on Mutual Funds, for the bound on
foreign equities.

Departures: developed markets without Canada and emerging markets stand in for
all foreign equities; rebalanced at the end of each year.
"""

NAME = "Three funds"
SYMBOL = "X-THREE"
SCHEDULE = "yearly"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "EFA", "AGG"],
                 "title": "Home equities, foreign equities, bonds", "order": 1},
    "bonds": {"type": "number", "default": 0.4, "minimum": 0, "maximum": 1, "title": "Share of bonds",
              "role": "primary", "unit": "fraction", "order": 2},
    "foreign": {"type": "number", "default": 0.2, "minimum": 0, "maximum": 1,
                "title": "Foreign part of the equities", "role": "primary", "unit": "fraction", "order": 3},
}


def decide(ctx):
    home, foreign, bonds = ctx.inputs.universe
    equities = 1 - ctx.inputs.bonds
    return {
        home: equities * (1 - ctx.inputs.foreign),
        foreign: equities * ctx.inputs.foreign,
        bonds: ctx.inputs.bonds,
    }
