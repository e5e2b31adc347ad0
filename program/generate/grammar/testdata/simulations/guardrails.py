"""Simulates 40 years from 1,000,000 in 70% SPY and 30% AGG, rebalanced yearly.
Withdraws by the rules of Guyton and Klinger: 5% of the value in the first year, rising with
inflation except after a loss; cut by 10% when the rate is 20% above the first one, raised when
it is as far below.
Guyton and Klinger's guardrails are 20% away from the first rate and change spending by 10%,
unless other figures are given.
No start value was given, so it is 1,000,000.
"""
from harness import guyton_klinger

NAME = "5% with guardrails, 40 years in 70% SPY and 30% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.7, 0.3],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "rebalance": {"type": "string", "default": "yearly",
        "title": "Rebalance", "role": "advanced", "order": 3},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 4},
    "years": {"type": "integer", "default": 40,
        "title": "Years", "role": "primary", "order": 5},
    "rate": {"type": "number", "default": 0.05, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 6},
    "guard": {"type": "number", "default": 0.2, "minimum": 0.0, "maximum": 1.0,
        "title": "Guardrails", "description": "How far the rate may move from the first one, as a fraction of it", "role": "primary", "order": 7},
    "change": {"type": "number", "default": 0.1, "minimum": 0.0, "maximum": 1.0,
        "title": "Change at a guardrail", "description": "As a fraction of the spending", "role": "primary", "order": 8},
}


def simulate(ctx):
    return guyton_klinger(ctx, rate=ctx.inputs.rate, guard=ctx.inputs.guard, change=ctx.inputs.change)
