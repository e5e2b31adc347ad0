"""Return, volatility and beta of sixty-forty over every three years.

Each day looks back three years. A beta that a single number hides moves between
what stocks and what bonds gave the portfolio.

Source: Marshall E. Blume (1971), On the Assessment of Risk, Journal of Finance
26(1), for betas that change from one period to the next.

Departures: windows overlap and end each day, where Blume's follow each other.
"""
from harness import rolling

NAME = "Sixty-forty over every three years"
SYMBOL = "X-ROLLING"

INPUTS = {
    "universe": {"type": "array", "default": ["X-6040", "AGG", "SPY"], "title": "Members", "order": 1},
    "years": {"type": "integer", "default": 3, "minimum": 1, "maximum": 10, "title": "Years of each window", "order": 2},
    "benchmark": {"type": "string", "default": "SPY", "title": "Benchmark of the betas", "order": 3},
}


def analyze(ctx):
    return rolling(ctx, ctx.inputs.universe, ctx.inputs.years, benchmark=ctx.inputs.benchmark)
