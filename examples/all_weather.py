"""Fixed weights that spread risk over growth and inflation, mostly bonds.

Bonds move less than equities, so more than half of the portfolio is in bonds.
Gold and commodities are held for years in which inflation hurts both.

Source: Tony Robbins (2014), Money: Master the Game, with weights given by Ray
Dalio ("All Seasons"); the idea is Bridgewater's All Weather fund of 1996.

Departures: one fund per asset class, rebalanced at the end of each year;
Robbins says at least once a year.
"""

NAME = "All weather"
SYMBOL = "X-AWEATHER"
SCHEDULE = "yearly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT", "IEF", "GLD", "DBC"],
                 "title": "Equities, long bonds, intermediate bonds, gold, commodities", "order": 1},
    "weights": {"type": "array", "default": [0.3, 0.4, 0.15, 0.075, 0.075], "title": "Weights, in that order",
                "role": "primary", "unit": "fraction", "order": 2},
}


def decide(ctx):
    return dict(zip(ctx.inputs.universe, ctx.inputs.weights))
