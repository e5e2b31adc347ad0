"""Six asset classes for a private investor, modelled on an endowment.

Equities of three regions, real estate, and nominal and inflation-linked
Treasuries. No class has more than 30 %, and there are no corporate bonds,
because they fall when equities do.

Source: David F. Swensen (2005), Unconventional Success, chapter 2.

Departures: Treasuries of seven to ten years for all Treasuries; rebalanced at
the end of each quarter.
"""

NAME = "Swensen's six classes"
SYMBOL = "X-SWENSEN"
SCHEDULE = "quarterly"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "EFA", "EEM", "VNQ", "IEF", "TIP"],
                 "title": "Home, developed, emerging equities, real estate, Treasuries, linked Treasuries", "order": 1},
    "weights": {"type": "array", "default": [0.3, 0.15, 0.05, 0.2, 0.15, 0.15],
                "title": "Weights, in that order", "role": "primary", "unit": "fraction", "order": 2},
}


def decide(ctx):
    return dict(zip(ctx.inputs.universe, ctx.inputs.weights))
