"""What moves real estate: shares, bonds, gold and commodities as its factors.

The excess returns of a fund of property shares are regressed on those of other
funds. Errors allow for days that resemble the days before them and for times of
different volatility. The loadings of the last three years show what has changed.

Source: Eugene F. Fama and Kenneth R. French (1993), Common Risk Factors in the
Returns on Stocks and Bonds, Journal of Financial Economics 33(1); errors by Whitney
K. Newey and Kenneth D. West (1987), Econometrica 55(3).

Departures: funds that can be bought are the factors, not differences of portfolios.
For those, import the factors of Kenneth French's data library as a series and name
its columns instead. Bills of one to three months are the riskless asset.
"""
from harness import factors

NAME = "What moves real estate"
SYMBOL = "X-FACTORS"

INPUTS = {
    "explained": {"type": "string", "default": "VNQ", "title": "What is explained", "order": 1},
    "by": {"type": "array", "default": ["SPY", "EFA", "IEF", "GLD", "DBC"], "title": "Factors", "order": 2},
    "riskless": {"type": "string", "default": "BIL", "title": "Riskless asset", "order": 3},
    "universe": {"type": "array", "default": ["VNQ", "SPY", "EFA", "IEF", "GLD", "DBC", "BIL"], "title": "All of them", "order": 4},
}


def analyze(ctx):
    return factors(ctx, ctx.inputs.explained, ctx.inputs.by, riskless=ctx.inputs.riskless)
