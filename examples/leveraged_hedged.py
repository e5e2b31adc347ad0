"""Equities and long Treasuries at three times equity, each hedging the other.

55 % in equities and 45 % in long Treasuries, both at three times: 165 % and 135
% of equity. The model relies on bonds rising when equities crash, and loses
when both fall, as in 2022.

Source: Hedgefundie (2019), HEDGEFUNDIE's excellent adventure, parts I and II,
bogleheads.org.

Departures: unleveraged funds at three times the weight instead of funds with
threefold leverage, so leverage is restored each month instead of each day; the
split is rebalanced monthly instead of quarterly. Twice the equity is borrowed,
at no cost in gross results; use a financing rate to see net results.
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
