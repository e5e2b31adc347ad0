"""The worst falls of shares, bonds and gold, and how long they lasted.

The deepest falls from a high of each member, with the days of the high, of the low
and of the return to the old high, if there was one.

Source: Alexei Chekhlov, Stanislav Uryasev and Michael Zabarankin (2005), Drawdown
Measure in Portfolio Optimization, International Journal of Theoretical and Applied
Finance 8(1).

Departures: episodes are listed one by one, not averaged.
"""
from harness import drawdowns

NAME = "Worst drawdowns"
SYMBOL = "X-DRAWDOWNS"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG", "GLD", "X-6040"], "title": "Members", "order": 1},
    "n": {"type": "integer", "default": 10, "minimum": 1, "maximum": 100, "title": "Drawdowns of each", "order": 2},
}


def analyze(ctx):
    return drawdowns(ctx, ctx.inputs.universe, n=ctx.inputs.n)
