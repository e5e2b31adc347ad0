"""Regresses the monthly returns of RMOM on SPY, EFA and AGG. The standard errors are those of
Newey and West, with lags by the number of returns. No riskless rate was named, so returns are
used as they are.
"""
from harness import factors

NAME = "Factors of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM", "SPY", "EFA", "AGG"],
        "title": "Universe", "role": "primary", "order": 1},
}


def analyze(ctx):
    return factors(ctx, "RMOM", ["SPY", "EFA", "AGG"], frequency="monthly")
