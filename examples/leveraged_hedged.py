"""Three times equities and long Treasuries, each hedging the other.

A share of 55 % in threefold equities and 45 % in threefold long Treasuries: 165
% and 135 % of equity. It rests on bonds rising when equities crash, and loses
where both fall, as in 2022.

Source: Hedgefundie (2019), HEDGEFUNDIE's excellent adventure, parts I and II,
bogleheads.org.

Departures: funds of one time at three times the weight instead of funds of
three times, so leverage is set back each month instead of each day, and the
split monthly instead of quarterly. Twice equity is borrowed, at no cost in
gross results: read them with a financing rate.
"""
from harness import scale

NAME = "Levered and hedged"
SYMBOL = "X-HEDGED"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "TLT"],
                 "title": "Equities, then long Treasuries", "order": 1},
    "equity": {"type": "number", "default": 0.55, "minimum": 0, "maximum": 1, "title": "Share of equities",
               "role": "primary", "unit": "fraction", "order": 2},
    "leverage": {"type": "number", "default": 3, "minimum": 1, "maximum": 3, "title": "Leverage",
                 "role": "primary", "unit": "times equity", "order": 3},
}


def decide(ctx):
    equities, bonds = ctx.inputs.universe
    return scale({equities: ctx.inputs.equity, bonds: 1 - ctx.inputs.equity}, ctx.inputs.leverage)
