"""Simulates 35 years from 1,000,000 in 60% SPY and 40% AGG, rebalanced monthly.
Withdraws by the rules of Guyton and Klinger: 5.5% of the value in the first year, rising with
inflation except after a loss; cut by 15% when the rate is 25% above the first one, raised when
it is as far below.
"""
from harness import guyton_klinger

NAME = "5.5% with guardrails, 35 years in 60% SPY and 40% AGG"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.6, 0.4],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "start_value": {"type": "number", "default": 1000000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 3},
    "years": {"type": "integer", "default": 35,
        "title": "Years", "role": "primary", "order": 4},
    "rate": {"type": "number", "default": 0.055, "minimum": 0.0, "maximum": 1.0,
        "title": "Withdrawal rate", "description": "A year, as a fraction", "role": "primary", "order": 5},
    "guard": {"type": "number", "default": 0.25, "minimum": 0.0, "maximum": 1.0,
        "title": "Guardrails", "description": "How far the rate may move from the first one, as a fraction of it", "role": "primary", "order": 6},
    "change": {"type": "number", "default": 0.15, "minimum": 0.0, "maximum": 1.0,
        "title": "Change at a guardrail", "description": "As a fraction of the spending", "role": "primary", "order": 7},
}


def simulate(ctx):
    return guyton_klinger(ctx, rate=ctx.inputs.rate, guard=ctx.inputs.guard, change=ctx.inputs.change)
