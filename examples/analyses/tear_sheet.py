"""Everything that a tear sheet shows of one fund, beside another.

Figures, windows of years, the worst drawdowns, tails, factors and crises of one
fund on one page.

Source: Carl R. Bacon (2008), Practical Portfolio Performance Measurement and
Attribution, second edition, Wiley, for the figures and their definitions.

Departures: none.
"""
from harness import report

NAME = "Tear sheet of small companies"
SYMBOL = "X-REPORT"

INPUTS = {
    "universe": {"type": "array", "default": ["IWM", "SPY"], "title": "The fund and its benchmark", "order": 1},
}


def analyze(ctx):
    return report(ctx, [ctx.inputs.universe[0]], benchmark=ctx.inputs.universe[1])
