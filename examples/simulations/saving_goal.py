"""A thousand a month until there is half a million.

Saves until the value reaches the goal for the first time, and then lets it
grow. The record reached tells how many of the paths have reached the goal by
each month: its mean is the chance.

Source: The savings goal calculator of the United States Securities and Exchange
Commission, investor.gov.

Departures: drawn months in place of one rate of return. The savings do not rise
with prices, as there.
"""
from harness import contribute

NAME = "Save until half a million"
SYMBOL = "X-GOAL"
STEP = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "weights": {"type": "array", "default": [0.8, 0.2], "title": "Weights", "order": 2},
    "start_value": {"type": "number", "default": 10000, "order": 3},
    "monthly": {"type": "number", "default": 1000, "minimum": 0, "maximum": 1000000, "title": "Savings a month",
                "role": "primary", "unit": "money", "order": 4},
    "goal": {"type": "number", "default": 500000, "minimum": 1, "maximum": 1000000000, "title": "Goal", "unit": "money", "order": 5},
}


def simulate(ctx):
    reached = ctx.peak >= ctx.inputs.goal
    ctx.record("reached", 1 if reached else 0)
    if reached:
        return 0
    return contribute(ctx, 12 * ctx.inputs.monthly, growth=0)
