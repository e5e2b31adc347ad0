"""Nearly all in safe bonds, some in equities, a little in bitcoin.

The safe end cannot lose much and the wild end can gain a lot. Once a week the
weights are looked at; when any is more than 2.5 points from its target all go
back, which takes profits from bitcoin after its leaps. Bitcoin trades every
day: its weekend counts on Monday.

Source: Nassim Nicholas Taleb (2012), Antifragile, for the barbell; Marie
Brière, Kim Oosterlinck and Ariane Szafarz (2015), Virtual Currency, Tangible
Return: Portfolio Diversification with Bitcoin, Journal of Asset Management
16(6), for a small stake.

Departures: Taleb's wild end has no equities; shares and band are choices.
"""
from harness import drifted

NAME = "Bitcoin barbell"
SYMBOL = "X-BARBELL"
SCHEDULE = {"every": "weekly", "weekday": "wed"}

INPUTS = {
    "universe": {"type": "array", "default": ["SHY", "SPY", "BTCUSD"],
                 "title": "Safe asset, equities, bitcoin", "order": 1},
    "weights": {"type": "array", "default": [0.8, 0.15, 0.05], "title": "Weights, in that order",
                "role": "primary", "unit": "fraction", "order": 2},
    "band": {"type": "number", "default": 0.025, "minimum": 0, "maximum": 0.5, "title": "Band",
             "role": "primary", "unit": "fraction of equity", "order": 3},
}


def decide(ctx):
    target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))
    if ctx.last_decision is None or drifted(ctx.weights, target, ctx.inputs.band):
        return target
    return None
