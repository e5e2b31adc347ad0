# bars: synthetic dividends returns SOLO
"""Conventions"""
from harness import normalize

NAME = "Conventions"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["STK", "RET", "SOLO", "A"]},
}


def decide(ctx):
    return normalize({s: ctx.prices(s).last() for s in ctx.universe})
