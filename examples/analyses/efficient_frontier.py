"""Which mixes of asset classes had the least risk for their return.

The weights with the least volatility at each mean return, none negative and none above
40 %, from the least risk to the highest return, and where each class lies by itself.

Source: Harry Markowitz (1952), Portfolio Selection, Journal of Finance 7(1).

Departures: funds stand for the asset classes. Expected returns are the means of the past,
which no one knew at its beginning.
"""
from harness import frontier

NAME = "Frontier of asset classes"
SYMBOL = "X-FRONTIER"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "VNQ", "AGG", "GLD"], "title": "Asset classes", "order": 1},
    "most": {"type": "number", "default": 0.4, "minimum": 0.05, "maximum": 1, "title": "Most in one", "order": 2},
}


def analyze(ctx):
    return frontier(ctx, ctx.inputs.universe, points=25, bounds={"default": [0, ctx.inputs.most]})
