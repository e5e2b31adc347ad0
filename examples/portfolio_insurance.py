"""Equities at three times the cushion above a floor.

The floor is 80 % of the initial equity. The cushion is the equity above the
floor. Three times the cushion is in equities, at most everything; the rest is
in short Treasuries. The floor breaks only if equities fall by more than a third
between two decisions.

Source: Fischer Black and Robert W. Jones (1987), Simplifying Portfolio
Insurance, Journal of Portfolio Management 14(1); Fischer Black and André F.
Perold (1992), Theory of Constant Proportion Portfolio Insurance, Journal of
Economic Dynamics and Control 16(3).

Departures: decisions are weekly instead of after moves of a given size; the
floor does not grow with interest.
"""
from harness import remainder

NAME = "Portfolio insurance"
SYMBOL = "X-CPPI"
SCHEDULE = "weekly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "SHY"],
                 "title": "Equities, then the safe asset", "order": 1},
    "floor": {"type": "number", "default": 0.8, "minimum": 0, "maximum": 1, "title": "Floor",
              "role": "primary", "unit": "fraction of the initial equity", "order": 2},
    "multiple": {"type": "number", "default": 3, "minimum": 0.5, "maximum": 10, "title": "Multiple",
                 "role": "primary", "unit": "times the cushion", "order": 3},
}


def decide(ctx):
    equities, safe = ctx.inputs.universe
    floor = ctx.inputs.floor * ctx.inputs.initial_cash
    cushion = max(0.0, 1 - floor / ctx.equity)
    ctx.record("cushion", cushion)
    return remainder({equities: min(1.0, ctx.inputs.multiple * cushion)}, safe)
