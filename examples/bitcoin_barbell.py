"""Mostly safe bonds, some equities, a little bitcoin.

The safe end cannot lose much and the risky end can gain a lot. Weights are
checked once a week. When one is more than 2.5 points from its target, all are
rebalanced, which takes profits after large gains of bitcoin. Bitcoin trades
every day: its weekend returns are part of Monday's.

Source: Nassim Nicholas Taleb (2012), Antifragile, for the barbell; Marie
Brière, Kim Oosterlinck and Ariane Szafarz (2015), Virtual Currency, Tangible
Return: Portfolio Diversification with Bitcoin, Journal of Asset Management
16(6), for a small stake.

Departures: Taleb's risky end has no equities; weights and band are our choice.
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
