"""Which mix of index funds behaves like a strategy.

The weights of index funds, none negative and all together one, that leave the least
variance between the mix and the strategy. What the mix does not explain is selection
and timing.

Source: William F. Sharpe (1992), Asset Allocation: Management Style and Performance
Measurement, Journal of Portfolio Management 18(2).

Departures: funds are the indices. They can be bought, so their fees are in them.
"""
from harness import style

NAME = "Style of the endowment portfolio"
SYMBOL = "X-STYLE"

INPUTS = {
    "explained": {"type": "string", "default": "X-SWENSEN", "title": "What is explained", "order": 1},
    "by": {"type": "array", "default": ["SPY", "EFA", "EEM", "VNQ", "AGG"], "title": "Index funds", "order": 2},
    "universe": {"type": "array", "default": ["X-SWENSEN", "SPY", "EFA", "EEM", "VNQ", "AGG"], "title": "All of them", "order": 3},
}


def analyze(ctx):
    return style(ctx, ctx.inputs.explained, ctx.inputs.by)
